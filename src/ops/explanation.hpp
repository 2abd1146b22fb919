// Where a number came from: the cells that made it and the arithmetic, term by term.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "ops/axes.hpp"
#include "tensor/tensor.hpp"

namespace ops {

/// A tensor's name in the tables of src/model/tables, as one byte. A name that is written in the
/// program is checked when it is compiled: `trace["q_heads"]`.
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

  /// Its place among all names, in the order of the tables.
  constexpr std::size_t place() const { return place_; }
  friend constexpr bool operator==(TensorId, TensorId) = default;
  friend constexpr auto operator<=>(TensorId, TensorId) = default;  // NOLINT(modernize-use-nullptr)

 private:
  std::uint8_t place_ = 0;
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
};

/// One summand. `value` is its contribution, in double so that the sum can be checked.
struct Term {
  Cell a;
  bool has_b = false;
  Cell b;
  double value = 0.0;  ///< a, a·b, or exp(a − maximum) for softmax
};

/// What made one cell. Σ terms + bias = result, but for these rules:
///   softmax: terms[selected] / Σ terms = result; divided: terms[0] / divisor = result;
///   layer_norm: (terms[selected] − mean) / divisor · weight + bias = result, mean = Σ terms /
///   count; given, given_by_hand and position have no terms; fully_masked, ablated and overwritten
///   have the terms that the computed rule would have, each contributing 0.
/// Under Mistake::softmax_over_queries the terms of a softmax are the scores of this key with every
/// query; under Mistake::naive_softmax they are exponentials in float32, so that ∞ and NaN come
/// where the forward pass has them. fully_masked says that no query may see this key (or this query
/// no key). `result` agrees with `cell.value` to float32 rounding (|Δ| ≤ 1e-5·(1 + Σ|term|)).
struct Explanation {
  Cell cell;
  Rule rule = Rule::given;
  std::vector<Term> terms;
  std::optional<Cell> bias;
  std::optional<Cell> weight;  ///< layer_norm
  double divisor =
      1.0;  ///< what it was divided by; position: 10000^(2i/E); layer_norm: √(variance + ε)
  /// softmax: the largest masked score of the row, subtracted from all; nothing where it was not
  std::optional<double> maximum;
  double denominator = 0.0;  ///< softmax: Σ exp(s − max)
  double mean = 0.0;         ///< layer_norm
  std::size_t selected = 0;  ///< softmax, layer_norm: the term that is this cell
  double result = 0.0;       ///< the arithmetic carried out in double

  /// result = Σ terms + bias.
  void add_up();
  /// The cell is 0, whatever was computed. The terms stay, each contributing 0.
  void overwrite(Rule with);
  /// The cell has the number of `source`: `how` is same_number or copied.
  void copy_of(const Cell& source, Rule how);
};

}  // namespace ops
