// The order of things by numbers that they have. One function for everything that is sorted: each
// std::stable_sort for a type of its own is 5 kB of code.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace document {

/// What something is sorted by: the first, and the second where the first is the same. No NaN.
struct SortKey {
  double first = 0.0;
  double second = 0.0;
};

/// The places of `keys`, smallest key first; equal ones as they came.
std::vector<std::size_t> order_of(std::span<const SortKey> keys);

}  // namespace document
