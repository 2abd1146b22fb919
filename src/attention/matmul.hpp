// The one matrix product of the program: blocked, packed, and written so that a compiler turns it
// into SIMD.
#pragma once

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

/// The same for one matrix: result[row·result_stride + column] = Σ_k a[row,k]·b[k,column]
/// (+ bias[column]). Where a.columns is less than b.rows(), the last rows of b are left out; it
/// must not be more.
void matmul(const MatrixView& a, const PackedMatrix& b, const float* bias, float* result,
            std::size_t result_stride);

/// The first `columns` of it, at least: what lies beyond them in the same panel is written too.
void matmul_first_columns(const MatrixView& a, const PackedMatrix& b, std::size_t columns,
                          float* result, std::size_t result_stride);

/// The marked columns of it; their neighbours may be written too, with the numbers they have.
void matmul_columns(const MatrixView& a, const PackedMatrix& b, const Marks& columns,
                    const float* bias, float* result, std::size_t result_stride);

}  // namespace attention
