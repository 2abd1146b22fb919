// Stable sorting by numeric keys. One function for all types, because each instance of
// std::stable_sort is 5 kB of code.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace document {

/// A sort key: by the first number, then by the second. No NaN.
struct SortKey {
  double first = 0.0;
  double second = 0.0;
};

/// The indices of `keys`, smallest key first; equal keys keep their order.
std::vector<std::size_t> order_of(std::span<const SortKey> keys);

/// The items, smallest key first; items with equal keys keep their order.
template <typename Item, typename KeyOf>
std::vector<Item> sorted_by(std::vector<Item> items, KeyOf key_of) {
  std::vector<SortKey> keys;
  for (const Item& item : items) keys.push_back(key_of(item));
  std::vector<Item> sorted;
  for (const std::size_t i : order_of(keys)) sorted.push_back(std::move(items[i]));
  return sorted;
}

}  // namespace document
