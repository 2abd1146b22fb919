// The one matrix product of the program: blocked, packed, and written so that a compiler turns it
// into SIMD.
#pragma once

#include <cstddef>

#include "kernels/packed_matrix.hpp"
#include "tensor/tensor.hpp"

namespace kernels {

/// A right factor, and where its product goes: result[row·result_stride + column] =
/// Σ_k a[row,k]·b[k,column] (+ bias[column]).
struct Product {
  const PackedMatrix* b = nullptr;
  float* result = nullptr;
  std::size_t result_stride = 0;
  const float* bias = nullptr;  ///< one number per column, or null
};

/// Computes the product of `a` [M,K], whose rows lie side by side (column_stride 1), and
/// product.b [K,N]. Sums run over k in ascending order within blocks of `matmul_block_depth`, block
/// sums are added in order, the bias last: builds whose kernel rounds alike (every one for the web;
/// natively the portable one, see matmul_tile.hpp) give the same float32 numbers. IEEE holds: 0 · ∞
/// and 0 · NaN are NaN.
void multiply(const MatrixView& a, const Product& product);

/// The transpose of a matrix [N,K] (a weight) as `multiply` reads it on the right. It is packed
/// when it is first asked for and kept as long as the matrix: a weight is multiplied with again and
/// again.
const PackedMatrix& packed_transpose(const tensor::Tensor& matrix);

}  // namespace kernels
