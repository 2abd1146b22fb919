// Products with a right factor of few numbers: to pack it, and to choose and call a kernel, would
// take longer than to multiply. Whether a factor is small depends on its shape alone, and every way
// to compute a product asks here: so all of them give the same bits.
#pragma once

#include <algorithm>
#include <cstddef>

#include "attention/lanes.hpp"

namespace attention {

/// Whether products with a right factor [depth,columns] are computed here.
constexpr bool is_small(std::size_t depth, std::size_t columns) {
  constexpr std::size_t most = 16;
  return depth <= most && columns <= most;
}

/// The right factor: element [k,column] is data[k·stride + column]. Where it is `padded`, there are
/// floats behind a row's last one up to a whole lane of four.
struct SmallFactor {
  const float* data = nullptr;
  std::size_t depth = 0;
  std::size_t columns = 0;
  std::size_t stride = 0;
  const float* bias = nullptr;  ///< one number per column, or null
};

/// result[column] = Σ_k a[k]·b[k,column] (+ bias[column]), k ascending from 0, each product rounded
/// before it is added.
template <bool padded>
void multiply_small_row(const float* a, const SmallFactor& b, float* result) {
  for (std::size_t column = 0; column < b.columns; column += 4) {
    const std::size_t count = std::min(b.columns - column, std::size_t{4});
    const auto some = [count](const float* values) {
      return count == 4 ? load_four(values) : load_some(values, count, 0.0F);
    };
    const float* cell = b.data + column;
    Four sum = all_four(0.0F);
    for (std::size_t k = 0; k < b.depth; ++k, cell += b.stride) {
      sum += all_four(a[k]) * (padded ? load_four(cell) : some(cell));
    }
    if (b.bias != nullptr) sum += some(b.bias + column);
    if (count == 4) {
      store_four(sum, result + column);
    } else {
      store_some(sum, count, result + column);
    }
  }
}

/// Σ_k a[k]·b[k], likewise.
inline float multiply_small(const float* a, const float* b, std::size_t depth) {
  float sum = 0.0F;
  for (std::size_t k = 0; k < depth; ++k) sum += a[k] * b[k];
  return sum;
}

}  // namespace attention
