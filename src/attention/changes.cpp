#include "attention/changes.hpp"

#include "attention/differing_rows.hpp"
#include "attention/given_tensors.hpp"
#include "attention/mask.hpp"
#include "attention/matmul.hpp"
#include "attention/scan.hpp"

namespace attention {
namespace {

/// What has changed in one given tensor: nothing, some rows, or no telling.
struct Difference {
  bool unknown = false;
  Marks rows;
};

Difference difference(const Trace& trace, TensorId id, const Tensor& now) {
  const Tensor& last = trace[id];
  if (last.shape() != now.shape()) return {true, {}};  // one of them missing, too
  if (!last.defined()) return {};
  if (!trace.is_as_remembered(id)) return {true, {}};  // written over: what was there is lost
  if (last.is_same_view(now)) return {};
  // A number of a bias is a row of its own.
  return {false, last.rank() == 1 ? rows_that_differ(last.unsqueeze(1), now.unsqueeze(1))
                                  : rows_that_differ(last, now)};
}

/// True where the same of the given tensors share storage in both: who is a view of whom is part of
/// what a trace tells.
template <typename Given>
bool share_alike(const Trace& trace, const Given& given) {
  for (const auto& [a, tensor] : given) {
    for (const auto& [b, other] : given) {
      if (trace[a].shares_storage_with(trace[b]) != tensor.shares_storage_with(other)) return false;
    }
  }
  return true;
}

bool computed_as_remembered(const Trace& trace) {
  for (const TensorId id : trace.present()) {
    if (!is_given(id) && !trace.is_as_remembered(id)) return false;
  }
  return true;
}

/// Where the differences of one given tensor show first.
Marks& shows_in(Changes& changes, TensorId id) {
  switch (id) {
    case TensorId::query_input:
      return changes.q.rows;
    case TensorId::key_input:
      return changes.k.rows;
    case TensorId::value_input:
      return changes.v.rows;
    case TensorId::q_proj_weight:
    case TensorId::q_proj_bias:
      return changes.q.columns;
    case TensorId::k_proj_weight:
    case TensorId::k_proj_bias:
      return changes.k.columns;
    case TensorId::v_proj_weight:
    case TensorId::v_proj_bias:
      return changes.v.columns;
    case TensorId::mask:
      return changes.masked_rows;
    default:
      return changes.output_features;
  }
}

void add(Marks&& found, Marks& marks) {
  if (!found.any()) return;
  if (marks.size() == 0) {
    marks = std::move(found);
  } else {
    marks.add(found);
  }
}

/// Whether both are there with the same bits, or neither is.
bool same_weights(const GivenWeights* a, const GivenWeights* b) {
  if (a == nullptr || b == nullptr) return a == b;
  const std::size_t count = a->weights.size();
  return b->weights.size() == count &&
         first_difference(a->weights.data(), b->weights.data(), count) == count;
}

/// Marks the queries, [B,H,Lq], for which other weights are given, or none any more, and all of a
/// head that was switched off or on.
void find_interventions(const Interventions& last, const Interventions& now, const Config& config,
                        Changes& changes) {
  if (last.none() && now.none()) return;
  Marks given(config.batch * config.num_heads * config.query_len);
  Marks switched(given.size());
  std::size_t place = 0;
  for (std::size_t sample = 0; sample < config.batch; ++sample) {
    for (std::size_t head = 0; head < config.num_heads; ++head) {
      const bool other = last.ablates(head) != now.ablates(head);
      for (std::size_t query = 0; query < config.query_len; ++query, ++place) {
        if (other) switched.mark(place);
        if (!same_weights(last.given_for(sample, head, query), now.given_for(sample, head, query)))
          given.mark(place);
      }
    }
  }
  add(std::move(given), changes.masked_rows);
  add(std::move(switched), changes.switched_rows);
}

}  // namespace

bool Changes::reach(TensorId id) const {
  const bool weights = q.any() || k.any() || masked_rows.any();
  switch (id) {
    case TensorId::q:
      return everything || q.any();
    case TensorId::k:
      return everything || k.any();
    case TensorId::v:
      return everything || v.any();
    case TensorId::head_outputs:
    case TensorId::merged:
      return everything || weights || v.any() || switched_rows.any();
    case TensorId::output:
      return reach(TensorId::merged) || output_features.any();
    default:  // scores, weights and what lies between
      return everything || weights;
  }
}

bool has_structure(const Trace& trace, const Config& config, const Inputs& inputs,
                   const Weights& weights) {
  if (!trace.is_as_remembered(TensorId::output) || !(trace.config == config) ||
      trace.interventions.mistake != Mistake::none) {
    return false;
  }
  for (const auto& [id, tensor] : given_tensors(inputs, weights)) {
    if (trace.has(id) != tensor.defined()) return false;
  }
  return trace.has(TensorId::mask) == inputs.mask.defined();
}

Changes changes_since(const Trace& trace, const Config& config, Inputs& inputs, Weights& weights,
                      const Interventions& interventions) {
  Changes changes;
  if (!has_structure(trace, config, inputs, weights) || !computed_as_remembered(trace))
    return changes;
  changes.everything = false;
  const auto given = given_tensors(inputs, weights);
  const bool may_keep = share_alike(trace, given);
  for (const auto& [id, tensor] : given) {
    Difference found = difference(trace, id, tensor);
    if (found.unknown) return {};
    if (!found.rows.any()) {
      if (may_keep && tensor.strides() == trace[id].strides()) tensor = trace[id];
      continue;
    }
    if (tensor.rank() == 2) pack_transpose_from(trace[id], found.rows, tensor);
    add(std::move(found.rows), shows_in(changes, id));
  }
  const Tensor mask =
      expand_mask(inputs.mask, config.batch, config.num_heads, config.query_len, config.key_len);
  Difference of_mask = difference(trace, TensorId::mask, mask);
  if (of_mask.unknown) return {};
  if (!of_mask.rows.any() && mask.strides() == trace[TensorId::mask].strides())
    inputs.mask = trace[TensorId::mask];
  add(std::move(of_mask.rows), changes.masked_rows);
  find_interventions(trace.interventions, interventions, config, changes);
  return changes;
}

}  // namespace attention
