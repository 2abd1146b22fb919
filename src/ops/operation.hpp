// An operation computes a tensor from others, and explains each of its cells.
#pragma once

#include <algorithm>
#include <array>
#include <initializer_list>
#include <string_view>

#include "ops/explanation.hpp"

namespace ops {

/// A tensor that an operation reads, with the letters of its axes.
struct Operand {
  tensor::Tensor tensor;
  Axes axes;
  TensorId id;
};

/// How `relative_bias` numbers the differences of places: docs/variants.md.
enum class Distances : unsigned char { t5, t5_look_back, shifted_windows };

/// Numbers that an operation needs besides tensors.
struct Constants {
  float divisor = 1.0F;                 ///< of `divide`
  float eps = 1e-5F;                    ///< of `layer_norm`
  float rms_eps = 1e-6F;                ///< of `rms_norm`
  float embedding_factor = 1.0F;        ///< of `embedding`: √E in "Attention Is All You Need"
  float dropout = 0.0F;                 ///< the share of numbers that `dropout` sets to 0
  float label_smoothing = 0.0F;         ///< of `cross_entropy`
  float rope_base = 10000.0F;           ///< of `rotate`, as the next three
  std::size_t rope_dims = 0;            ///< how many numbers of a head are turned; 0: all
  bool rope_neighbours = false;         ///< numbers 2i and 2i + 1 are a point, not i and i + dims/2
  float rope_factor = 1.0F;             ///< what turned points are multiplied by
  float softcap = 1.0F;                 ///< of `soft_cap`
  Distances distances = Distances::t5;  ///< of `relative_bias`
  std::size_t farthest = 128;           ///< of Distances::t5: places from here on are alike
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

struct Operation;

/// What a gradient is computed from.
enum class Source : std::uint8_t {
  operand0,
  operand1,
  operand2,
  result,
  d_result,  ///< the gradient of the result
};

/// How the gradient of one operand follows from the gradient of the result (the chain rule): as one
/// more row, whose letters and shape are the operand's.
struct Gradient {
  const Operation* operation = nullptr;  ///< null: the operand gets no gradient
  std::array<Source, 3> of{};
  std::size_t count = 0;

  constexpr Gradient() = default;
  constexpr Gradient(const Operation& by, std::initializer_list<Source> sources) : operation(&by) {
    for (const Source source : sources) of[count++] = source;
  }
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
  /// The gradient of each operand. Operations that compute gradients have none.
  std::array<Gradient, 3> backward = {};
  /// The result depends on the operand's shape only, not on its numbers.
  bool reads_shape_only = false;
  bool reads_constants = false;
};

// --- What a row of a table can be ---

extern const Operation given;         ///< nothing makes it: an input, a weight, a mask
extern const Operation same;          ///< the first operand itself, where a step is left out
extern const Operation detach;        ///< the same numbers, but no gradient passes back through it
extern const Operation product;       ///< Σ over the letter that the result lacks, + bias
extern const Operation weighted_sum;  ///< a product, 0 for queries that see no key
extern const Operation multiply;      ///< cell by cell, operands repeated along letters they lack
extern const Operation reshape;       ///< another shape, the same order of cells
extern const Operation permute;       ///< the axes in another order
extern const Operation divide;        ///< by Constants::divisor
extern const Operation add;           ///< two or three, repeated along letters that they lack
extern const Operation subtract;      ///< cell by cell
extern const Operation sum;           ///< over the letters that the result lacks
extern const Operation average;       ///< the same sum, divided by how many numbers it has
extern const Operation softmax;       ///< along the last axis
extern const Operation layer_norm;    ///< along the last axis: x, weight, bias
extern const Operation relu;
extern const Operation gelu;
extern const Operation position;       ///< sinusoidal position encoding for tokens of this shape
extern const Operation rms_norm;       ///< along the last axis: x, weight (optional)
extern const Operation rotate;         ///< [..,L,D]: rotary positions along L; radians a place [P]
extern const Operation alibi;          ///< [H,Lq,Lk] for scores of this shape: −slope · distance
extern const Operation relative_bias;  ///< [H,Lq,Lk] of a table [N,H], by places alone
extern const Operation soft_cap;       ///< softcap · tanh(x / softcap)
extern const Operation
    softmax_with_sinks;  ///< scores, sinks [H], which get weights too, but no column; mask
extern const Operation half_squares;  ///< a loss: ½ Σ x² over all cells

// Tokens of a vocabulary, which are numbers from 0 as floats.
extern const Operation embedding;  ///< tokens, weight [V,E]: the token's row · embedding_factor
extern const Operation
    cross_entropy;               ///< a loss: logits [..,V], the right tokens (−1: not counted)
extern const Operation dropout;  ///< x, seed: some numbers 0, the others · 1 / (1 − dropout)

// Rows that compute a gradient where none of the above does.
extern const Operation negative;                    ///< −x
extern const Operation softmax_gradient;            ///< weights, their gradient, mask
extern const Operation layer_norm_gradient;         ///< x, the gradient of its norm, weight
extern const Operation layer_norm_weight_gradient;  ///< x, the gradient of its norm
extern const Operation rms_norm_gradient;           ///< x, the gradient of its norm, weight
extern const Operation rms_norm_weight_gradient;    ///< x, the gradient of its norm
extern const Operation rotate_back;                 ///< turned by the same angles the other way
extern const Operation relative_bias_gradient;      ///< the gradient of biases [H,Lq,Lk]
extern const Operation soft_cap_gradient;           ///< x, the gradient of soft_cap(x)
extern const Operation sink_gradient;               ///< weights, their gradient
extern const Operation relu_gradient;               ///< x, the gradient of relu(x)
extern const Operation gelu_gradient;               ///< x, the gradient of gelu(x)
extern const Operation embedding_gradient;          ///< tokens, the gradient of their embeddings
extern const Operation cross_entropy_gradient;      ///< logits, right tokens, the loss's gradient

// Mistakes that are made on purpose (model/tables/mistaken_rows.hpp): src/ops/mistakes.
extern const Operation product_untransposed;
extern const Operation add_finite;
extern const Operation mask_with_zero;
extern const Operation softmax_over_queries;
extern const Operation softmax_then_mask;
extern const Operation softmax_unshifted;
extern const Operation scores_as_weights;

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
