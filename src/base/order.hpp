// Sorting in little code: each instance of std::sort is 3 kB of the page's program, each of
// std::stable_sort 5 kB.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <span>
#include <utility>
#include <vector>

namespace base {

/// As std::sort, by a heap.
template <typename Items, typename Before = std::less<>>
void sort(Items& items, Before before = {}) {
  std::make_heap(items.begin(), items.end(), before);
  std::sort_heap(items.begin(), items.end(), before);
}

/// A sort key: by the first number, then by the second. No NaN.
struct SortKey {
  double first = 0.0;
  double second = 0.0;
};

/// The indices of `keys`, smallest key first; equal keys keep their order.
std::vector<std::size_t> order_of(std::span<const SortKey> keys);

/// The items, smallest key first, in one function for all types; items with equal keys keep their
/// order.
template <typename Item, typename KeyOf>
std::vector<Item> sorted_by(std::vector<Item> items, KeyOf key_of) {
  std::vector<SortKey> keys;
  for (const Item& item : items) keys.push_back(key_of(item));
  std::vector<Item> sorted;
  for (const std::size_t i : order_of(keys)) sorted.push_back(std::move(items[i]));
  return sorted;
}

}  // namespace base
