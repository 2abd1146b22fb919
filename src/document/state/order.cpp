#include "document/state/order.hpp"

#include <algorithm>
#include <numeric>

namespace document {

std::vector<std::size_t> order_of(std::span<const SortKey> keys) {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [keys](std::size_t a, std::size_t b) {
    if (keys[a].first != keys[b].first) return keys[a].first < keys[b].first;
    if (keys[a].second != keys[b].second) return keys[a].second < keys[b].second;
    return a < b;
  });
  return order;
}

}  // namespace document
