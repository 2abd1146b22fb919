#include "attention/lay_out.hpp"

#include <optional>

#include "attention/given_tensors.hpp"
#include "attention/mask.hpp"

namespace attention {

bool is_own(const Trace& trace, TensorId id) {
  switch (id) {
    case TensorId::q:
      return trace.has(TensorId::q_proj_weight);
    case TensorId::k:
      return trace.has(TensorId::k_proj_weight);
    case TensorId::v:
      return trace.has(TensorId::v_proj_weight);
    case TensorId::scaled_scores:
      return trace.config.scale.kind != Scale::Kind::none;
    case TensorId::masked_scores:
      return trace.has(TensorId::mask);
    case TensorId::merged:
      return !trace[id].shares_storage_with(trace[TensorId::head_outputs]);
    case TensorId::output:
      return trace.has(TensorId::out_proj_weight);
    default:
      return true;
  }
}

Tensor expanded_mask(const Tensor& mask, const Config& config) {
  return expand_mask(mask, config.batch, config.num_heads, config.query_len, config.key_len);
}

Tensor split_heads(const Tensor& projected, const Config& config) {
  return projected.reshape({config.batch, projected.dim(1), config.num_heads, config.head_dim()});
}

namespace {

/// What is given, under its name.
void put_given(const Config& config, const Inputs& inputs, const Weights& weights, Trace& trace) {
  trace.config = config;
  for (const auto& [id, tensor] : given_tensors(inputs, weights)) trace.put(id, tensor);
  trace.put(TensorId::mask, expanded_mask(inputs.mask, config));
}

/// q, k and v where there is such a projection (`room` gives their memory), and how the heads see
/// them.
template <typename Room>
void put_projections(const Config& config, const Inputs& inputs, const Weights& weights, Room room,
                     Trace& trace) {
  const auto put = [&](TensorId id, TensorId split, TensorId heads, const Tensor& input,
                       const Tensor& weight) {
    const Tensor projected =
        weight.defined() ? room(id, {config.batch, input.dim(1), config.embed_dim}) : input;
    trace.put(id, projected);
    trace.put(split, split_heads(projected, config));  // [B,L,H,D]
    trace.put(heads, trace[split].transpose(1, 2));    // [B,H,L,D]
  };
  using enum TensorId;
  put(q, q_split, q_heads, inputs.query, weights.q_proj_weight);
  put(k, k_split, k_heads, inputs.key, weights.k_proj_weight);
  put(v, v_split, v_heads, inputs.value, weights.v_proj_weight);
}

}  // namespace

void lay_out(const Config& config, const Inputs& inputs, const Weights& weights,
             const Changes& changes, Trace& trace) {
  const bool again = has_structure(trace, config, inputs, weights);
  if (!again) trace = {};  // its memory is free before more is asked for
  std::array<Tensor, computed_tensors.size()> rooms;
  for (std::size_t i = 0; again && i < computed_tensors.size(); ++i) {
    if (!is_own(trace, computed_tensors[i])) continue;
    // What others read stays as it is for them.
    if (!changes.reach(computed_tensors[i]) || trace.is_sole_reader(computed_tensors[i])) {
      rooms[i] = trace[computed_tensors[i]];
    } else if (!changes.everything) {
      rooms[i] = trace[computed_tensors[i]].clone();
    }
  }
  const auto room = [&rooms](TensorId id, const Shape& shape) {
    for (std::size_t i = 0; i < computed_tensors.size(); ++i) {
      if (computed_tensors[i] == id && rooms[i].defined()) return rooms[i];
    }
    return Tensor::uninitialized(shape);
  };
  put_given(config, inputs, weights, trace);
  put_projections(config, inputs, weights, room, trace);

  const std::size_t B = config.batch;
  const std::size_t Lq = config.query_len;
  const std::size_t E = config.embed_dim;
  const Shape square{B, config.num_heads, Lq, config.key_len};
  const Tensor scores = room(TensorId::scores, square);
  const Tensor scaled = config.divisor() ? room(TensorId::scaled_scores, square) : scores;
  trace.put(TensorId::scores, scores);
  trace.put(TensorId::scaled_scores, scaled);
  trace.put(TensorId::masked_scores,
            inputs.mask.defined() ? room(TensorId::masked_scores, square) : scaled);
  trace.put(TensorId::attention_weights, room(TensorId::attention_weights, square));

  const Tensor head_outputs =
      room(TensorId::head_outputs, {B, config.num_heads, Lq, config.head_dim()});
  const Tensor merged_split = head_outputs.transpose(1, 2);  // [B,Lq,H,D]
  const Tensor merged = merged_split.is_contiguous() ? merged_split.reshape({B, Lq, E})
                                                     : room(TensorId::merged, {B, Lq, E});
  trace.put(TensorId::head_outputs, head_outputs);
  trace.put(TensorId::merged_split, merged_split);
  trace.put(TensorId::merged, merged);
  trace.put(TensorId::output,
            weights.out_proj_weight.defined() ? room(TensorId::output, {B, Lq, E}) : merged);
}

void lay_out_output(const Config& config, const Inputs& inputs, const Weights& weights,
                    Trace& trace) {
  const auto room = [](TensorId, const Shape& shape) { return Tensor::uninitialized(shape); };
  put_given(config, inputs, weights, trace);
  put_projections(config, inputs, weights, room, trace);
  const Shape tokens{config.batch, config.query_len, config.embed_dim};
  const Tensor merged = Tensor::uninitialized(tokens);
  trace.put(TensorId::merged, merged);
  trace.put(TensorId::merged_split, split_heads(merged, config));
  trace.put(TensorId::head_outputs, trace[TensorId::merged_split].transpose(1, 2));
  trace.put(TensorId::output,
            weights.out_proj_weight.defined() ? Tensor::uninitialized(tokens) : merged);
}

}  // namespace attention
