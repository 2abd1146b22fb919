// The order of things by numbers that they have. One function for everything that is sorted: each
// std::stable_sort for a type of its own is 5 kB of code.
#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace document {

/// What something is sorted by: the first, and the second where the first is the same. No NaN.
struct SortKey {
  double first = 0.0;
  double second = 0.0;
};

/// The places of `keys`, smallest key first; equal ones as they came.
std::vector<std::size_t> order_of(std::span<const SortKey> keys);

/// The items, the one with the smallest key first; equal ones as they came.
template <typename Item, typename KeyOf>
std::vector<Item> sorted_by(std::vector<Item> items, KeyOf key_of) {
  std::vector<SortKey> keys;
  for (const Item& item : items) keys.push_back(key_of(item));
  std::vector<Item> sorted;
  for (const std::size_t i : order_of(keys)) sorted.push_back(std::move(items[i]));
  return sorted;
}

}  // namespace document
