// The matrix product: blocked and packed, with inner loops that compilers turn into SIMD.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tensor/tensor.hpp"

namespace kernels {

/// A matrix in memory that somebody else owns: element [row,column] is data[row·row_stride +
/// column·column_stride].
struct MatrixView {
  const float* data = nullptr;
  std::size_t rows = 0;
  std::size_t columns = 0;
  std::size_t row_stride = 0;
  std::size_t column_stride = 1;

  friend bool operator==(const MatrixView&, const MatrixView&) = default;
};

/// Floats aligned to a cache line: loading a vector that crosses two lines takes twice as long.
struct alignas(64) CacheLine {
  float floats[16];
};

/// A right factor, copied into the order in which the product reads it: the first
/// matmul_block_depth rows in panels of matmul_kernel().panel_columns columns, each panel row by
/// row, then the next rows likewise. The last panel is padded with columns of 0.
struct PackedMatrix {
  MatrixView source;  ///< what it was made from
  std::size_t panel_columns = 0;
  std::vector<CacheLine> panels;
  /// Instead of `panels`, a quarter as large: whole numbers in the same order, and for each column,
  /// padding included, the scale that they are multiplied with.
  std::vector<std::int8_t> whole;
  std::vector<float> scales;

  /// The panel of the columns from `column` on, of the block of rows from `row` on.
  const float* panel(std::size_t row, std::size_t column) const;
  /// Where in `panels` or `whole` that panel begins.
  std::size_t place_of_panel(std::size_t row, std::size_t column) const;
};

/// Packs `matrix` into `packed`, reusing its memory.
void pack(const MatrixView& matrix, PackedMatrix& packed);

/// `view` of a weight's numbers, packed. The last two that were asked for are kept as long as its
/// storage, since weights are used again and again.
const PackedMatrix& packed_weight(const tensor::Tensor& weight, const MatrixView& view);
/// The packed transpose of `matrix` [N,K], a weight.
const PackedMatrix& packed_transpose(const tensor::Tensor& matrix);
/// Makes packed_transpose keep whole numbers for `weight` [N,K], which is whole[n,k] · scales[n] to
/// the last bit. With few rows to multiply, a product takes as long as reading the weight takes.
void keep_rounded(const tensor::Tensor& weight, std::span<const std::int8_t> whole,
                  const tensor::Tensor& scales);

/// Computes a · b (+ `bias`, one number per column, or null) into `result` [M,N], contiguous. `a`
/// [M,K] may have any strides. Sums run over k in ascending order within blocks of
/// `matmul_block_depth`; block sums are added in order, the bias last. Kernels that round alike
/// (MatmulKernel::fused) therefore give the same bits. 0 · ∞ and 0 · NaN are NaN, as in IEEE 754.
void multiply(const MatrixView& a, const PackedMatrix& b, float* result,
              const float* bias = nullptr);

}  // namespace kernels
