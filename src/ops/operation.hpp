// What an operation is: how a tensor is made of others, and how to say so.
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
  /// How many operands it needs; what it can have beyond them is a bias or a mask. Where the second
  /// one is not there although it needs it, the step is left out: it passes on the first.
  std::size_t needs;
  /// Computes the tensor: a view where no number has to move.
  tensor::Tensor (*forward)(const Use& use);
  /// Fills in all but `cell` of `made`, which says which cell is asked about. Null: `given`.
  void (*explain)(const Use& use, Explanation& made);
  /// The result depends on the shape of what is read, not on its numbers.
  bool reads_shape_only = false;
  bool reads_constants = false;
};

// --- What a row of a table can be ---

extern const Operation given;         ///< nothing makes it: an input, a weight, a mask
extern const Operation same;          ///< what a step without its second operand does: it passes on
extern const Operation product;       ///< Σ over the letter that the result lacks, + bias
extern const Operation weighted_sum;  ///< product of weights and values, by the mask
extern const Operation multiply;      ///< cell by cell, letters that are missing repeated
extern const Operation reshape;       ///< another shape, the same order of cells
extern const Operation permute;       ///< each letter at its new place
extern const Operation divide;        ///< by Constants::divisor
extern const Operation add;           ///< cell by cell, letters that are missing repeated
extern const Operation softmax;       ///< along the last axis
extern const Operation layer_norm;    ///< along the last axis: x, weight, bias
extern const Operation relu;
extern const Operation gelu;
extern const Operation position;  ///< sines and cosines for tokens of this shape

// Mistakes that are made on purpose (model/tables/mistaken_rows.hpp): src/ops/mistakes.
extern const Operation product_untransposed;
extern const Operation add_finite;
extern const Operation mask_with_zero;
extern const Operation softmax_over_queries;
extern const Operation softmax_then_mask;

// --- What their files share ---

/// The operand as a view with the letters of the result, repeated where it lacks one.
tensor::Tensor spread(const Operand& operand, const Use& use);

/// The index in a tensor with the letters `of` that belongs to the cell `at` of a tensor with the
/// letters `result`: each letter where it stands there, 0 where it does not.
tensor::Index index_of(const Axes& of, const Axes& result, const tensor::Index& at);

/// The cell of an operand that belongs to the cell `at` of what is made.
Cell cell_of(const Use& use, std::size_t place, const tensor::Index& at);
Term term_of(const Cell& a);
Term term_of(const Cell& a, const Cell& b);

/// Calls `visit(cell)` for each cell of the operand along one axis, in order: found once, since
/// hundreds of them found anew at every frame would show in its time.
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

/// A mask hides a key from a query with −∞; 0 leaves the score as it is.
inline constexpr float hidden = -std::numeric_limits<float>::infinity();

/// True where a mask [B,H,Lq,Lk] leaves a query no key. `at`: [b,h,query,..].
bool hides_all(const tensor::Tensor& mask, const tensor::Index& at);

/// Zeros in the rows of `made`, which nobody shares yet, wherever `has_no_key([b,h,query,0])`.
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
