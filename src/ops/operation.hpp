// An operation computes a tensor from others, and explains each of its cells.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "ops/explanation.hpp"

namespace ops {

/// A tensor that an operation reads, with the letters of its axes.
struct Operand {
  tensor::Tensor tensor;
  Axes axes;
  TensorId id;
};

/// Numbers that an operation needs besides tensors.
struct Constants {
  float divisor = 1.0F;  ///< of `divide`
  float eps = 1e-5F;     ///< of `layer_norm`
  friend bool operator==(const Constants&, const Constants&) = default;
};

/// One use of an operation: what it reads, and the letters and shape of what it makes.
struct Use {
  std::array<Operand, 3> operands;
  std::size_t count = 0;
  Axes axes;
  tensor::Shape shape;
  Constants constants;

  const Operand& operator[](std::size_t place) const { return operands[place]; }
};

/// Each is defined in src/ops, with its parts beside each other.
struct Operation {
  std::string_view name;
  /// How many operands it needs. More are optional: a bias, a mask. Where an operand that it needs
  /// is not given (no weight, no mask to add), the row becomes `same`.
  std::size_t needs;
  /// Computes the tensor, as a view if no number has to move.
  tensor::Tensor (*forward)(const Use& use);
  /// Explains the cell `made.cell` by filling in the rest of `made`. Null for `given`.
  void (*explain)(const Use& use, Explanation& made);
  /// The result depends on the operand's shape only, not on its numbers.
  bool reads_shape_only = false;
  bool reads_constants = false;
};

// --- What a row of a table can be ---

extern const Operation given;         ///< nothing makes it: an input, a weight, a mask
extern const Operation same;          ///< the first operand itself, where a step is left out
extern const Operation product;       ///< Σ over the letter that the result lacks, + bias
extern const Operation weighted_sum;  ///< a product, 0 for queries that see no key
extern const Operation multiply;      ///< cell by cell, operands repeated along letters they lack
extern const Operation reshape;       ///< another shape, the same order of cells
extern const Operation permute;       ///< the axes in another order
extern const Operation divide;        ///< by Constants::divisor
extern const Operation add;           ///< cell by cell, operands repeated along letters they lack
extern const Operation softmax;       ///< along the last axis
extern const Operation layer_norm;    ///< along the last axis: x, weight, bias
extern const Operation relu;
extern const Operation gelu;
extern const Operation position;  ///< sinusoidal position encoding for tokens of this shape

// Mistakes that are made on purpose (model/tables/mistaken_rows.hpp): src/ops/mistakes.
extern const Operation product_untransposed;
extern const Operation add_finite;
extern const Operation mask_with_zero;
extern const Operation softmax_over_queries;
extern const Operation softmax_then_mask;
extern const Operation softmax_unshifted;

// --- Helpers for their implementation ---

/// The operand as a view with the axes and shape of the result, repeated along letters it lacks.
tensor::Tensor spread(const Operand& operand, const Use& use);

/// `at`, an index into a tensor with the letters `result`, as an index into one with the letters
/// `of`: the same along shared letters, 0 along the others.
tensor::Index index_of(const Axes& of, const Axes& result, const tensor::Index& at);

/// The cell of an operand at index_of(its letters, the result's letters, at).
Cell cell_of(const Use& use, std::size_t place, const tensor::Index& at);
Term term_of(const Cell& a);
Term term_of(const Cell& a, const Cell& b);

/// Calls `visit(cell)` for each cell of the operand along one axis, in order, starting at `first`.
/// Steps by the stride instead of calling at(): explanations of long rows are made in every frame.
template <typename Visit>
void walk(const Operand& operand, const tensor::Index& first, std::size_t axis, Visit visit) {
  Cell cell{operand.id, first, 0.0F};
  const float* number = operand.tensor.cell(first);
  for (; cell.index[axis] < operand.tensor.dim(axis); ++cell.index[axis]) {
    cell.value = *number;
    visit(static_cast<const Cell&>(cell));
    number += operand.tensor.strides()[axis];
  }
}

/// What a mask adds to a score to hide the key from the query. 0 leaves the score as it is.
inline constexpr float hidden = -std::numeric_limits<float>::infinity();

/// True if a mask [B,H,Lq,Lk] hides every key from the query at [b,h,query,..].
bool hides_all(const tensor::Tensor& mask, const tensor::Index& at);

/// Sets the rows of `made`, whose storage is not shared, to 0 where `has_no_key([b,h,query,0])`.
template <typename Predicate>
void clear_rows(tensor::Tensor& made, Predicate has_no_key) {
  tensor::Shape rows = made.shape();
  const std::size_t length = rows.back();
  rows[rows.rank() - 1] = 1;
  tensor::Index at = tensor::Index::filled(rows.rank(), 0);
  float* row = made.mutable_data();
  do {
    if (has_no_key(at)) std::fill_n(row, length, 0.0F);
    row += length;
  } while (next_index(at, rows));
}

}  // namespace ops
