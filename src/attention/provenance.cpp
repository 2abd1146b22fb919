#include "attention/provenance.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "attention/embedding.hpp"
#include "attention/mask.hpp"

namespace attention {
namespace {

Cell cell_of(const Trace& trace, TensorId tensor, const Index& index) {
  return {tensor, index, trace[tensor].at(index)};
}

Term single(const Cell& a) { return {a, false, {}, static_cast<double>(a.value)}; }

Term product_of(const Cell& a, const Cell& b) {
  return {a, true, b, static_cast<double>(a.value) * static_cast<double>(b.value)};
}

/// result = Σ terms + bias.
void add_up(Provenance& made) {
  made.result = 0.0;
  for (const Term& term : made.terms) made.result += term.value;
  if (made.has_bias) made.result += static_cast<double>(made.bias.value);
}

void explain_copy(const Cell& source, Rule rule, Provenance& made) {
  made.rule = rule;
  made.terms = {single(source)};
  add_up(made);
}

/// 0, whatever the terms say: they are named, and contribute nothing.
void overwrite(Rule rule, Provenance& made) {
  made.rule = rule;
  for (Term& term : made.terms) term.value = 0.0;
  made.result = 0.0;
}

/// The weights of this row were given by hand.
bool is_given_row(const Trace& trace, const Index& row) {
  return trace.interventions.gives(row[0], row[1], row[2]);
}

bool makes(const Trace& trace, Mistake mistake) { return trace.interventions.mistake == mistake; }

/// The mask hides this score.
bool is_hidden(const Trace& trace, const Index& index) {
  return trace.has(TensorId::mask) && trace[TensorId::mask].at(index) == hidden;
}

bool has_index(const Shape& shape, const Index& index) {
  if (shape.rank() != index.rank()) return false;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    if (index[axis] >= shape[axis]) return false;
  }
  return true;
}

/// Cells of one tensor, one after another along an axis: 512 of them at every frame, each found
/// anew, would show in its time.
class Walk {
 public:
  Walk(const Trace& trace, TensorId tensor, const Index& first, std::size_t axis)
      : next_{tensor, first, 0.0F},
        at_(trace[tensor].storage().data() + trace[tensor].position(first)),
        axis_(axis),
        step_(trace[tensor].strides()[axis]) {}

  void put_next(Cell& cell) {
    cell = next_;
    cell.value = *at_;
    at_ += step_;
    ++next_.index[axis_];
  }

 private:
  Cell next_;
  const float* at_;
  std::size_t axis_;
  std::size_t step_;
};

/// Σ a·b, `count` of each.
void explain_dot_product(Walk a, Walk b, std::size_t count, Provenance& made) {
  made.rule = Rule::dot_product;
  made.terms.resize(count);
  for (Term& term : made.terms) {
    a.put_next(term.a);
    b.put_next(term.b);
    term.has_b = true;
    term.value = static_cast<double>(term.a.value) * static_cast<double>(term.b.value);
  }
  add_up(made);
}

/// y[b,i,o] = Σ_e x[b,i,e]·weight[o,e] + bias[o].
void explain_linear(const Trace& trace, TensorId x, TensorId weight, TensorId bias,
                    Provenance& made) {
  const Index& index = made.cell.index;
  if (trace.has(bias)) {
    made.has_bias = true;
    made.bias = cell_of(trace, bias, {index[2]});
  }
  explain_dot_product({trace, x, {index[0], index[1], 0}, 2}, {trace, weight, {index[2], 0}, 1},
                      trace[weight].dim(1), made);
}

/// scores[b,h,i,j] = Σ_d q_heads[b,h,i,d]·k_heads[b,h,j,d], or ·k_heads[b,h,d,j] where the keys
/// were not transposed.
void explain_score(const Trace& trace, Provenance& made) {
  const Index& index = made.cell.index;
  const bool transposed = !makes(trace, Mistake::keys_not_transposed);
  const Index key =
      transposed ? Index{index[0], index[1], index[3], 0} : Index{index[0], index[1], 0, index[3]};
  explain_dot_product({trace, TensorId::q_heads, {index[0], index[1], index[2], 0}, 3},
                      {trace, TensorId::k_heads, key, transposed ? 3U : 2U},
                      trace.config.head_dim(), made);
}

void explain_scaled_score(const Trace& trace, Provenance& made) {
  made.rule = Rule::divided;
  made.terms.push_back(single(cell_of(trace, TensorId::scores, made.cell.index)));
  made.divisor = static_cast<double>(
      trace.config.scale.divisor(trace.config.head_dim(), trace.config.key_len));
  made.result = made.terms[0].value / made.divisor;
}

void explain_sum(const Cell& a, const Cell& b, Provenance& made) {
  made.rule = Rule::sum;
  made.terms = {single(a), single(b)};
  add_up(made);
}

/// The same number in [B,L,E], at the place that q_heads [B,H,L,D] has in memory: only where it was
/// made by reshaping a copy.
void explain_reshaped(const Trace& trace, TensorId source, Provenance& made) {
  const Shape& shape = trace[made.cell.tensor].shape();
  std::size_t place = 0;
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    place = place * shape[axis] + made.cell.index[axis];
  }
  const std::size_t L = trace[source].dim(1);
  const std::size_t E = trace[source].dim(2);
  explain_copy(cell_of(trace, source, {place / (L * E), place / E % L, place % E}), Rule::copied,
               made);
}

void explain_masked_score(const Trace& trace, Provenance& made) {
  const Cell score = cell_of(trace, TensorId::scaled_scores, made.cell.index);
  const Cell mask = cell_of(trace, TensorId::mask, made.cell.index);
  const bool hides = mask.value == hidden;
  if (hides && makes(trace, Mistake::mask_after_softmax)) {
    return explain_copy(score, Rule::copied, made);
  }
  explain_sum(score, mask, made);
  if (hides && makes(trace, Mistake::mask_with_zero)) overwrite(Rule::overwritten, made);
}

/// exp(s − max) / Σ exp(s' − max) over the masked scores of one query (or, by mistake, of one key).
void explain_weight(const Trace& trace, Provenance& made) {
  const Index& index = made.cell.index;
  if (is_given_row(trace, index)) {
    made.rule = Rule::given_by_hand;
    made.result = static_cast<double>(made.cell.value);
    return;
  }
  double maximum = -std::numeric_limits<double>::infinity();
  // The axis that is summed over, and the place on it.
  const std::size_t axis = makes(trace, Mistake::softmax_over_queries) ? 2 : 3;
  Index other = index;
  for (other[axis] = 0; other[axis] < trace[TensorId::masked_scores].dim(axis); ++other[axis]) {
    made.terms.push_back(single(cell_of(trace, TensorId::masked_scores, other)));
    // A NaN is passed over here and shows in its own term, and through the denominator in every
    // weight of the row.
    if (made.terms.back().value > maximum) maximum = made.terms.back().value;
  }
  const bool any_nan = std::any_of(made.terms.begin(), made.terms.end(),
                                   [](const Term& term) { return std::isnan(term.value); });
  const bool nothing_to_see = trace.fully_masked(index[0], index[1], index[2]) ||
                              (maximum == -std::numeric_limits<double>::infinity() && !any_nan);
  made.selected = index[axis];
  made.maximum = maximum;
  for (Term& term : made.terms) {
    term.value = nothing_to_see ? 0.0 : std::exp(term.value - maximum);
    made.denominator += term.value;
  }
  made.rule = nothing_to_see ? Rule::fully_masked : Rule::softmax;
  made.result = nothing_to_see ? 0.0 : made.terms[made.selected].value / made.denominator;
  const bool hidden_afterwards =
      makes(trace, Mistake::mask_after_softmax) && is_hidden(trace, index);
  if (hidden_afterwards && !nothing_to_see) overwrite(Rule::overwritten, made);
}

/// head_outputs[b,h,i,d] = Σ_j weighted_values[b,h,i,j,d].
void explain_head_output(const Trace& trace, Provenance& made) {
  const Index& index = made.cell.index;
  const bool by_definition =
      trace.fully_masked(index[0], index[1], index[2]) && !is_given_row(trace, index);
  explain_dot_product({trace, TensorId::attention_weights, {index[0], index[1], index[2], 0}, 3},
                      {trace, TensorId::v_heads, {index[0], index[1], 0, index[3]}, 2},
                      trace.config.key_len, made);
  if (by_definition) overwrite(Rule::fully_masked, made);
  if (trace.interventions.ablates(index[1])) overwrite(Rule::ablated, made);
}

void explain_position(Provenance& made, std::size_t embed_dim) {
  made.rule = Rule::position;
  made.divisor = position_divisor(made.cell.index[1], embed_dim);
  made.result = position_value(made.cell.index[0], made.cell.index[1], embed_dim);
}

/// weighted_values[b,h,i,j,d] = attention_weights[b,h,i,j]·v_heads[b,h,j,d].
Provenance explain_weighted_value(const Trace& trace, const Index& index) {
  const Config& config = trace.config;
  Provenance made;
  made.cell = {TensorId::weighted_values, index, std::numeric_limits<float>::quiet_NaN()};
  made.result = static_cast<double>(made.cell.value);
  if (!has_index(
          {config.batch, config.num_heads, config.query_len, config.key_len, config.head_dim()},
          index)) {
    return made;
  }
  made.rule = Rule::product;
  const Index row{index[0], index[1], index[2], index[3]};
  const Index value{index[0], index[1], index[3], index[4]};
  made.terms = {product_of(cell_of(trace, TensorId::attention_weights, row),
                           cell_of(trace, TensorId::v_heads, value))};
  made.cell.value = made.terms[0].a.value * made.terms[0].b.value;
  add_up(made);
  return made;
}

/// Everything that has storage of its own.
void explain(const Trace& trace, Provenance& made) {
  const Index index = made.cell.index;
  const Config& config = trace.config;
  switch (made.cell.tensor) {
    case TensorId::position_encoding:
      return explain_position(made, config.embed_dim);
    case TensorId::query_input:
      if (!trace.has(TensorId::token_embedding) || !trace.has(TensorId::position_encoding)) return;
      return explain_sum(cell_of(trace, TensorId::token_embedding, index),
                         cell_of(trace, TensorId::position_encoding, {index[1], index[2]}), made);
    case TensorId::q:
      return explain_linear(trace, TensorId::query_input, TensorId::q_proj_weight,
                            TensorId::q_proj_bias, made);
    case TensorId::k:
      return explain_linear(trace, TensorId::key_input, TensorId::k_proj_weight,
                            TensorId::k_proj_bias, made);
    case TensorId::v:
      return explain_linear(trace, TensorId::value_input, TensorId::v_proj_weight,
                            TensorId::v_proj_bias, made);
    case TensorId::q_heads:
      return explain_reshaped(trace, TensorId::q, made);
    case TensorId::k_heads:
      return explain_reshaped(trace, TensorId::k, made);
    case TensorId::v_heads:
      return explain_reshaped(trace, TensorId::v, made);
    case TensorId::scores:
      return explain_score(trace, made);
    case TensorId::scaled_scores:
      return explain_scaled_score(trace, made);
    case TensorId::masked_scores:
      return explain_masked_score(trace, made);
    case TensorId::attention_weights:
      return explain_weight(trace, made);
    case TensorId::head_outputs:
      return explain_head_output(trace, made);
    case TensorId::merged: {
      const std::size_t D = trace[TensorId::merged_split].dim(3);
      return explain_copy(
          cell_of(trace, TensorId::merged_split, {index[0], index[1], index[2] / D, index[2] % D}),
          Rule::copied, made);
    }
    case TensorId::output:
      return explain_linear(trace, TensorId::merged, TensorId::out_proj_weight,
                            TensorId::out_proj_bias, made);
    default:
      return;  // given, or a view: both are settled before
  }
}

}  // namespace

Provenance provenance(const Trace& trace, TensorId tensor, const Index& index) {
  if (tensor == TensorId::weighted_values) return explain_weighted_value(trace, index);
  Provenance made;
  made.cell = {tensor, index, std::numeric_limits<float>::quiet_NaN()};
  made.result = static_cast<double>(made.cell.value);
  if (!trace.has(tensor) || !has_index(trace[tensor].shape(), index)) return made;
  made.cell = cell_of(trace, tensor, index);
  made.result = static_cast<double>(made.cell.value);  // rule `given`, unless something made it
  if (const std::optional<TensorId> base = trace.view_of(tensor)) {
    const std::optional<Index> source = trace[*base].index_at(trace[tensor].position(index));
    if (source) explain_copy(cell_of(trace, *base, *source), Rule::same_number, made);
    return made;
  }
  explain(trace, made);
  return made;
}

}  // namespace attention
