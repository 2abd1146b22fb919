// The one matrix product of the program: blocked, packed, and written so that a compiler turns it
// into SIMD.
#pragma once

#include <cstddef>
#include <vector>

#include "tensor/tensor.hpp"

namespace kernels {

/// One matrix somewhere in memory: element [row,column] is data[row·row_stride +
/// column·column_stride].
struct MatrixView {
  const float* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t row_stride = 0;
  std::size_t column_stride = 1;

  friend bool operator==(const MatrixView&, const MatrixView&) = default;
};

/// Floats that begin where a cache line does: a vector that is loaded across two lines takes twice
/// as long.
struct alignas(64) CacheLine {
  float floats[16];
};

/// A right factor, laid out in the order in which the product reads it: panels of as many columns
/// as matmul_kernel() takes at once, each stored row by row; first those of the first
/// matmul_block_depth rows, then those of the next. Columns beyond the last one are 0, and what
/// they are multiplied into is dropped.
struct PackedMatrix {
  MatrixView source;  ///< what it was made from
  std::size_t panel_columns = 0;
  std::vector<CacheLine> panels;

  /// The panel of the columns from `column` on, of the block of rows from `row` on.
  const float* panel(std::size_t row, std::size_t column) const;
};

/// Packs `matrix` into `packed`, whose memory is used again.
void pack(const MatrixView& matrix, PackedMatrix& packed);

/// The transpose of a matrix [N,K] (a weight) as `multiply` reads it on the right. It is packed
/// when it is first asked for and kept as long as the matrix: a weight is multiplied with again and
/// again.
const PackedMatrix& packed_transpose(const tensor::Tensor& matrix);

/// Computes a · b (+ `bias`, one number per column, or null) into `result` [M,N], row by row. The
/// rows of `a` [M,K] lie side by side (column_stride 1). Sums run over k in ascending order within
/// blocks of `matmul_block_depth`, block sums are added in order, the bias last: builds whose
/// kernel rounds alike (every one for the web; natively the portable one, see matmul_tile.hpp) give
/// the same float32 numbers. IEEE holds: 0 · ∞ and 0 · NaN are NaN.
void multiply(const MatrixView& a, const PackedMatrix& b, float* result,
              const float* bias = nullptr);

}  // namespace kernels
