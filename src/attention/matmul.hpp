// The one matrix product of the program: blocked, packed, and written so that a compiler turns it
// into SIMD.
#pragma once

#include <cstddef>

#include "attention/tensor.hpp"

namespace attention {

/// One matrix somewhere in memory: element [row,column] is data[row·row_stride +
/// column·column_stride].
struct MatrixView {
  const float* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t row_stride = 0;
  std::size_t column_stride = 1;
};

/// a [..,M,K] · b [..,K,N] → [..,M,N], contiguous. Leading axes of length 1, or missing ones, are
/// repeated.
///
/// Strides are free: a transposed view or a head of a split tensor costs nothing extra, since both
/// factors are packed into panels anyway. Sums run over k in ascending order within blocks of
/// `matmul_block_depth`, block sums are added in order: every build (native, wasm with and without
/// SIMD) therefore gives the same float32 numbers. IEEE holds: 0 · ∞ and 0 · NaN are NaN. Undefined
/// where the shapes do not fit.
Tensor matmul(const Tensor& a, const Tensor& b);

/// The same for one matrix: result[row·N + column] = Σ_k a[row,k]·b[k,column]. a.columns must be
/// b.rows.
void matmul(const MatrixView& a, const MatrixView& b, float* result);

/// How many terms are summed before they are added to the cell.
inline constexpr std::size_t matmul_block_depth = 256;

}  // namespace attention
