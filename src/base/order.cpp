#include "base/order.hpp"

#include <numeric>

namespace base {

std::vector<std::size_t> order_of(std::span<const SortKey> keys) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  sort(order, [keys](std::size_t a, std::size_t b) {
    if (keys[a].first != keys[b].first) return keys[a].first < keys[b].first;
    if (keys[a].second != keys[b].second) return keys[a].second < keys[b].second;
    return a < b;
  });
  return order;
}

}  // namespace base
