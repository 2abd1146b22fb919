// The one matrix product of the program: blocked, packed, and written so that a compiler turns it
// into SIMD.
#pragma once

#include <limits>
#include <span>

#include "attention/packed_matrix.hpp"
#include "attention/tensor.hpp"

namespace attention {

/// a [..,M,K] · b [..,K,N] (+ bias [N]) → [..,M,N], contiguous. Leading axes of length 1, or
/// missing ones, are repeated.
///
/// Strides are free: a transposed view or a head of a split tensor costs nothing extra, since b is
/// packed into panels anyway; for a b without leading axes (a weight) once, until its numbers
/// change. Sums run over k in ascending order within blocks of `matmul_block_depth`, block sums are
/// added in order, the bias last: builds whose kernel rounds alike (every one for the web; natively
/// the portable one, see matmul_tile.hpp) give the same float32 numbers, and so does every build
/// where b is small (small_product.hpp). IEEE holds: 0 · ∞ and 0 · NaN are NaN. Undefined where the
/// shapes do not fit.
Tensor matmul(const Tensor& a, const Tensor& b, const Tensor& bias = {});

/// A matrix [rows,columns] as matmul reads it on the right: packed when it is first asked for and
/// after its numbers have changed.
const PackedMatrix& packed_once(const Tensor& matrix);
/// The same for its transpose.
const PackedMatrix& packed_transpose_once(const Tensor& matrix);

/// packed_transpose_once for a matrix that differs from `last` in marked rows only: what was packed
/// for `last`, if it was, becomes this one's, and the marked rows are packed anew.
void pack_transpose_from(const Tensor& last, const Marks& rows, const Tensor& matrix);

/// One right factor, and where its product goes: result[row·result_stride + column] =
/// Σ_k a[row,k]·b[k,column] (+ bias[column]). Where a.columns is less than b.rows(), the last rows
/// of b are left out; it must not be more.
struct Product {
  const PackedMatrix* b = nullptr;
  float* result = nullptr;
  std::size_t result_stride = 0;
  const float* bias = nullptr;  ///< one number per column, or null
  /// So many columns are wanted, at least: what lies beyond them in the same panels is written too.
  std::size_t columns = std::numeric_limits<std::size_t>::max();
  /// These of them, or null for all; their neighbours, of a single row those in the next panels
  /// too, may be written with the numbers they have.
  const Marks* marked = nullptr;
};

/// matmul for one matrix.
void multiply(const MatrixView& a, const Product& product);

/// The same for several right factors, one at least, all of one size, in one pass over `a`. (Why
/// the span is not passed by value: in_place.cpp, project.)
void multiply(const MatrixView& a, const std::span<const Product>& products);

}  // namespace attention
