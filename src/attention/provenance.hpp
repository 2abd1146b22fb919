// Where a number came from: the cells that made it and the arithmetic, term by term.
#pragma once

#include <string_view>
#include <vector>

#include "attention/trace.hpp"

namespace attention {

/// One cell of one tensor, with the number that is in it.
struct Cell {
  TensorId tensor = TensorId::query_input;
  Index index;
  float value = 0.0F;
};

/// How a cell was made.
enum class Rule : unsigned char {
  given,        ///< nobody computed it: an input, a weight, a mask
  same_number,  ///< the same float, read through another shape (terms[0].a is the cell it is)
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
  overwritten,  ///< 0 written over what was computed, by a mistake: a hidden key's score or weight
};

/// One summand. `value` is its contribution, in double so that the sum can be checked.
struct Term {
  Cell a;
  bool has_b = false;
  Cell b;
  double value = 0.0;  ///< a, a·b, or exp(a − max) for softmax
};

/// What made one cell. For every rule but those named here: Σ terms + bias = result.
///   softmax: terms[selected] / Σ terms = result; divided: terms[0] / divisor = result;
///   given, given_by_hand and position have no terms;
///   fully_masked, ablated and overwritten have the terms that the computed rule would have, each
///   contributing 0.
/// Under Mistake::softmax_over_queries the terms of a softmax are the scores of this key with every
/// query, and fully_masked says that no query may see this key (or this query no key).
/// `result` agrees with `cell.value` to float32 rounding (|Δ| ≤ 1e-5·(1 + Σ|term|)).
struct Provenance {
  Cell cell;
  Rule rule = Rule::given;
  std::vector<Term> terms;
  bool has_bias = false;
  Cell bias;
  double divisor = 1.0;      ///< scaled_scores: √D or what was chosen; position: 10000^(2i/E)
  double maximum = 0.0;      ///< softmax: the largest masked score of the row
  double denominator = 0.0;  ///< softmax: Σ exp(s − max)
  std::size_t selected = 0;  ///< softmax: the term that is this cell
  double result = 0.0;       ///< the arithmetic carried out in double
};

/// The provenance of one cell. `index` must lie inside the tensor (an index outside, or a tensor
/// that the trace does not have, gives rule `given` with NaN). `weighted_values` is accepted
/// although no trace holds it, with index [b,h,query,key,d]. Tensors that are views report
/// `same_number` with the tensor they are a view of. Inputs computed by an earlier layer are
/// `given` here: the chain is the caller's.
Provenance provenance(const Trace& trace, TensorId tensor, const Index& index);

}  // namespace attention
