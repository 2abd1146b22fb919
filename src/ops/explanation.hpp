// Where a number came from: the cells that made it and the arithmetic, term by term.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

#include "ops/axes.hpp"
#include "tensor/tensor.hpp"

namespace ops {

/// A tensor's name in the tables of src/model/tables, or its gradient, in two bytes. A name that is
/// written in the program is checked when it is compiled: `trace["q_heads"]`.
class TensorId {
 public:
  constexpr TensorId() = default;
  /// Defined in model/names.hpp, which knows all names. (Do not use it as a member's default
  /// initialiser: clang 14 would call it at run time.)
  consteval TensorId(const char* name);  // NOLINT(google-explicit-constructor)
  static constexpr TensorId at(std::size_t place) {
    TensorId id;
    id.place_ = static_cast<std::uint8_t>(place);
    return id;
  }

  /// Its place among all names, in the order of the tables; a gradient's is that of its tensor.
  constexpr std::size_t place() const { return place_; }

  constexpr bool is_gradient() const { return gradient_ > 0; }
  /// The gradient of this tensor: ∂loss / ∂ each of its cells.
  constexpr TensorId gradient() const { return numbered(1); }
  /// A number that is added into the gradient: a tensor that is used several times gets one from
  /// each use. `count` from 0.
  constexpr TensorId part_of_gradient(std::size_t count) const { return numbered(2 + count); }
  /// True for gradient(), not for a part of it.
  constexpr bool is_whole_gradient() const { return gradient_ == 1; }
  /// The tensor that this is the gradient of; itself if it is none.
  constexpr TensorId value() const { return numbered(0); }
  friend constexpr bool operator==(TensorId, TensorId) = default;
  friend constexpr auto operator<=>(TensorId, TensorId) = default;  // NOLINT(modernize-use-nullptr)

 private:
  constexpr TensorId numbered(std::size_t number) const {
    TensorId id = *this;
    id.gradient_ = static_cast<std::uint8_t>(number);
    return id;
  }

  std::uint8_t place_ = 0;
  std::uint8_t gradient_ = 0;  ///< 1: the gradient; from 2 on: a part of it
};

/// One cell of one tensor, with the number that is in it.
struct Cell {
  TensorId tensor;
  tensor::Index index;
  float value = 0.0F;
};

/// How a cell was made.
enum class Rule : std::uint8_t {
  given,        ///< not computed: an input, a weight, a mask
  same_number,  ///< the same float in memory as the cell terms[0].a of another tensor: a view
  sum,          ///< Σ of single cells: token_embedding + position_encoding, scaled_scores + mask
  dot_product,  ///< Σ a·b over terms, + bias where there is one
  product,      ///< a·b: weighted_values
  divided,      ///< terms[0].a / divisor: scaled_scores
  softmax,      ///< exp(s − max) / Σ exp(s' − max); one term per key (or per query: see below)
  fully_masked,   ///< 0 by definition: every key of this query is hidden
  copied,         ///< the same value at another place in memory: merged
  given_by_hand,  ///< a row of attention_weights that was set instead of computed
  position,       ///< sin or cos of position / 10000^(2i/E)
  ablated,        ///< 0 because its head is switched off: head_outputs
  overwritten,    ///< set to 0 after it was computed, by a mistake: a hidden key's score or weight
  layer_norm,     ///< (x − mean) / deviation · weight + bias; one term per number of the token
  function,       ///< a function of terms[0].a alone: relu, gelu
  difference,     ///< terms[0] − terms[1]
  half_squares,   ///< ½ Σ a²: the loss
  // Gradients that no rule above describes.
  softmax_gradient,     ///< terms[selected] − factor · Σ terms, one term a·b per key
  layer_norm_gradient,  ///< (terms[selected] − mean − factor · denominator) / divisor
  function_gradient,    ///< terms[0].a · factor, the slope of relu or gelu; 0 where that is 0
  normed_products,      ///< Σ a·x̂ where x̂ is b, normalised: the gradient of a norm's weight
  scaled,               ///< terms[0].a · factor: an embedding · √E, a number that dropout kept
  scaled_sum,           ///< Σ a·factor: the gradient of an embedding
  cross_entropy,  ///< mean of −log p(right token): one term per token that counts, a its logit
  cross_entropy_gradient,  ///< (factor − mean) / divisor: (p − wanted p) / tokens that count
  // Of variants of attention.
  rotated,   ///< a turned point: terms[0].a · cosine + terms[1].a · factor
  distance,  ///< factor · distance, where factor is the head's slope, below 0
  rms_norm,  ///< terms[selected] / divisor · weight, if there is one; one term per number of the
             ///< head
  rms_norm_gradient,  ///< (terms[selected] − factor · denominator) / divisor
  capped,             ///< divisor · tanh(terms[0].a / divisor), where divisor is the cap
  sink_gradient,      ///< −Σ a·b·share, where share is what the sink got of b's row of weights
  mean,               ///< Σ a / divisor: mean_weights, over the heads
};

/// What a rule is called in the API and in the keys of its texts: "dot_product". In their order.
// clang-format off
inline constexpr auto rule_names = std::to_array<std::string_view>({
    "given", "same_number", "sum", "dot_product", "product", "divided", "softmax",
    "fully_masked", "copied", "given_by_hand", "position", "ablated", "overwritten",
    "layer_norm", "function", "difference", "half_squares", "softmax_gradient",
    "layer_norm_gradient", "function_gradient", "normed_products", "scaled", "scaled_sum",
    "cross_entropy", "cross_entropy_gradient", "rotated", "distance", "rms_norm",
    "rms_norm_gradient", "capped", "sink_gradient", "mean"});
// clang-format on
static_assert(rule_names.size() == static_cast<std::size_t>(Rule::mean) + 1);

constexpr std::string_view name_of(Rule rule) { return rule_names[static_cast<std::size_t>(rule)]; }

/// One summand. `value` is its contribution, in double so that the sum can be checked.
struct Term {
  Cell a;
  bool has_b = false;
  Cell b;
  double value = 0.0;  ///< a, a·b, or exp(a − maximum) for softmax
};

/// What made one cell. Σ terms + bias = result, but for these rules:
///   softmax: terms[selected] / Σ terms = result, where a sink, if there is one, is `bias` and
///   exp(sink − max) a part of the sum; divided: terms[0] / divisor = result; mean: Σ terms /
///   divisor; layer_norm: (terms[selected] − mean) / divisor · weight + bias = result, mean = Σ
///   terms / count; softmax_gradient: factor is the weight itself, a is d_weight and b the weight,
///   and terms[selected] − factor · Σ terms = result (under Mistake::mask_after_softmax and
///   softmax_over_queries the weights that softmax gave, before others were written over them, are
///   no tensor: there is no b, and the terms of those that were overwritten are 0);
///   layer_norm_gradient: the terms are d_norm · weight, mean is their mean, factor is the
///   normalised number x̂ of this cell and denominator the mean of term · x̂, and so for
///   rms_norm_gradient, without a mean; given, given_by_hand, position and distance have no terms;
///   fully_masked, ablated and overwritten have the terms that the computed rule would have, each
///   contributing 0.
/// Under Mistake::softmax_over_queries the terms of a softmax are the scores of this key with every
/// query; under Mistake::naive_softmax they are exponentials in float32, so that ∞ and NaN come
/// where the forward pass has them. fully_masked says that no query may see this key (or this query
/// no key). `result` agrees with `cell.value` to float32 rounding (|Δ| ≤ 1e-5·(1 + Σ|term|)).
struct Explanation {
  Cell cell;
  Rule rule = Rule::given;
  std::vector<Term> terms;
  std::optional<Cell> bias;    ///< softmax: the sink
  std::optional<Cell> weight;  ///< layer_norm, rms_norm
  double divisor = 1.0;  ///< what it was divided by; position: 10000^(2i/E); layer_norm: √(variance
                         ///< + ε); rms_norm: √(mean of squares + ε)
  /// softmax: the largest masked score of the row, subtracted from all; nothing where it was not
  std::optional<double> maximum;
  double denominator = 0.0;  ///< softmax: Σ exp(s − max), the sink's among them
  double mean = 0.0;         ///< layer_norm, layer_norm_gradient
  double factor = 1.0;       ///< gradients of softmax, layer_norm and functions: see Rule
  double angle = 0.0;        ///< rotated: by which the point was turned, in radians
  double cosine = 1.0;       ///< rotated: cos(angle), where factor is ±sin(angle); both times
                             ///< Constants::rope_factor
  double distance = 0.0;     ///< distance: tokens between query and key
  std::size_t selected = 0;  ///< softmax, layer_norm, rms_norm: the term that is this cell
  double result = 0.0;       ///< the arithmetic carried out in double

  /// result = Σ terms + bias.
  void add_up();
  /// The cell is 0, whatever was computed. The terms stay, each contributing 0.
  void overwrite(Rule with);
  /// The cell has the number of `source`: `how` is same_number or copied.
  void copy_of(const Cell& source, Rule how);
};

}  // namespace ops
