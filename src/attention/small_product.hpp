// Products with a right factor of few numbers: to pack it, and to choose and call a kernel, would
// take longer than to multiply. Whether a factor is small depends on its shape alone, and every way
// to compute a product asks here: so all of them give the same bits.
#pragma once

#include <cstddef>

#include "attention/lanes.hpp"

namespace attention {

/// Whether products with a right factor [depth,columns] are computed here.
constexpr bool is_small(std::size_t depth, std::size_t columns) {
  constexpr std::size_t most = 16;
  return depth <= most && columns <= most;
}

/// The right factor: element [k,column] is data[k·stride + column].
struct SmallFactor {
  const float* data = nullptr;
  std::size_t depth = 0;
  std::size_t columns = 0;
  std::size_t stride = 0;
  const float* bias = nullptr;  ///< one number per column, or null
};

/// result[column] = Σ_k a[k]·b[k,column] (+ bias[column]), k ascending from 0, each product rounded
/// before it is added. The factor and the bias lie in memory of which a few numbers more can be
/// read (aligned.hpp).
inline void multiply_small_row(const float* a, const SmallFactor& b, float* result) {
  const auto put = [&](Four sum, std::size_t column) {
    if (b.bias != nullptr) sum += load_four(b.bias + column);
    if (const std::size_t count = b.columns - column; count < 4) {
      store_some(sum, count, result + column);
    } else {
      store_four(sum, result + column);
    }
  };
  std::size_t column = 0;
  // Two lanes together, as long as there are two: the fewer instructions, the sooner.
  for (; column + 4 < b.columns; column += 8) {
    const float* cell = b.data + column;
    Four sum = all_four(0.0F);
    Four next = sum;
    for (std::size_t k = 0; k < b.depth; ++k, cell += b.stride) {
      const Four all = all_four(a[k]);
      sum += all * load_four(cell);
      next += all * load_four(cell + 4);
    }
    put(sum, column);
    put(next, column + 4);
  }
  if (column >= b.columns) return;
  const float* cell = b.data + column;
  Four sum = all_four(0.0F);
  for (std::size_t k = 0; k < b.depth; ++k, cell += b.stride) {
    sum += all_four(a[k]) * load_four(cell);
  }
  put(sum, column);
}

/// result[column] = Σ_k a[k]·b[k,column], likewise, where the columns of b lie in memory as rows
/// do: element [k,column] is b[column·stride + k].
inline void multiply_small_row_transposed(const float* a, const float* b, std::size_t stride,
                                          std::size_t depth, std::size_t columns, float* result) {
  std::size_t column = 0;
  for (; column + 2 <= columns; column += 2, b += 2 * stride) {
    float sum = 0.0F;
    float next = 0.0F;
    for (std::size_t k = 0; k < depth; ++k) {
      sum += a[k] * b[k];
      next += a[k] * b[stride + k];
    }
    result[column] = sum;
    result[column + 1] = next;
  }
  if (column == columns) return;
  float sum = 0.0F;
  for (std::size_t k = 0; k < depth; ++k) sum += a[k] * b[k];
  result[column] = sum;
}

}  // namespace attention
