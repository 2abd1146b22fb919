#include "attention/in_place.hpp"

#include <array>
#include <cstring>
#include <optional>

#include "attention/given_tensors.hpp"
#include "attention/mask.hpp"
#include "attention/matmul.hpp"
#include "attention/scaled_dot_product.hpp"

namespace attention {
namespace {

Tensor expanded(const Tensor& mask, const Config& config) {
  return expand_mask(mask, config.batch, config.num_heads, config.query_len, config.key_len);
}

/// The tensors that are computed, in order; the others are views of these.
constexpr std::array written = {TensorId::q,
                                TensorId::k,
                                TensorId::v,
                                TensorId::scores,
                                TensorId::scaled_scores,
                                TensorId::masked_scores,
                                TensorId::attention_weights,
                                TensorId::head_outputs,
                                TensorId::merged,
                                TensorId::output};

/// Whether `trace` has one of them with storage of its own: a step that is not there passes on
/// the tensor before it.
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

/// The tokens of all samples, one below the other. `copy` keeps them where they had to be copied.
MatrixView token_rows(const Tensor& input, Tensor& copy) {
  const std::size_t width = input.dim(2);
  if (!input.is_contiguous()) copy = input.clone();
  const float* data = copy.defined() ? copy.data() : input.data();
  return {data, input.dim(0) * input.dim(1), width, width, 1};
}

/// One linear layer, or what is stale of it: input [..,in] · weightᵀ [in,out] + bias [out].
void project(const Tensor& input, const Tensor& weight, const Tensor& bias, const Stale& stale,
             float* cells) {
  const PackedMatrix& packed = packed_transpose_once(weight);
  Tensor copied_input;
  const MatrixView all = token_rows(input, copied_input);
  const Tensor copied_bias = bias.defined() && !bias.is_contiguous() ? bias.clone() : Tensor();
  const float* added = copied_bias.defined() ? copied_bias.data() : nullptr;
  if (added == nullptr && bias.defined()) added = bias.data();
  const std::size_t width = packed.columns();
  if (stale.all) {
    matmul(all, packed, added, cells, width);
    return;
  }
  for (Marks::Run run = stale.rows.run_from(0, all.rows, all.rows); run.count > 0;
       run = stale.rows.run_from(run.first + run.count, all.rows, all.rows)) {
    MatrixView some = all;
    some.data += run.first * all.row_stride;
    some.rows = run.count;
    matmul(some, packed, added, cells + run.first * width, width);
  }
  if (stale.columns.any()) matmul_columns(all, packed, stale.columns, added, cells, width);
}

/// The same for tensors of a trace; nothing where there is no such layer: the result is the input.
void project(Trace& trace, TensorId input, TensorId weight, TensorId bias, const Stale& stale,
             TensorId result) {
  if (!trace.has(weight) || !stale.any()) return;
  project(trace[input], trace[weight], trace[bias], stale, trace.write(result));
}

/// The queries, [B,H,Lq], whose scores, weights or head outputs depend on what changed.
Marks stale_queries(const Changes& changes, const Config& config) {
  const std::size_t D = config.head_dim();
  Marks queries(config.batch * config.num_heads * config.query_len);
  std::size_t place = 0;
  for (std::size_t sample = 0; sample < config.batch; ++sample) {
    const std::size_t first_token = sample * config.query_len;
    const std::size_t first_key = sample * config.key_len;
    const bool every_head = changes.k.rows.any_in(first_key, config.key_len) ||
                            changes.v.rows.any_in(first_key, config.key_len);
    for (std::size_t head = 0; head < config.num_heads; ++head) {
      const bool whole_head = every_head || changes.q.columns.any_in(head * D, D) ||
                              changes.k.columns.any_in(head * D, D) ||
                              changes.v.columns.any_in(head * D, D);
      for (std::size_t query = 0; query < config.query_len; ++query, ++place) {
        if (whole_head || changes.q.rows[first_token + query] || changes.masked_rows[place])
          queries.mark(place);
      }
    }
  }
  return queries;
}

/// Puts the head outputs side by side, [B,H,Lq,D] → [B,Lq,E]; `queries`: those, or null for all.
void merge(const Marks* queries, Trace& trace) {
  const Tensor& head_outputs = trace[TensorId::head_outputs];
  // One head or one query: a view.
  if (trace[TensorId::merged].shares_storage_with(head_outputs)) return;
  const std::size_t B = head_outputs.dim(0);
  const std::size_t H = head_outputs.dim(1);
  const std::size_t Lq = head_outputs.dim(2);
  const std::size_t D = head_outputs.dim(3);
  const float* from = head_outputs.data();
  float* to = trace.write(TensorId::merged);
  for (std::size_t place = 0; place < B * H * Lq; ++place, from += D) {
    if (queries != nullptr && !(*queries)[place]) continue;
    const std::size_t query = place % Lq;
    const std::size_t head = place / Lq % H;
    const std::size_t sample = place / Lq / H;
    std::memcpy(to + ((sample * Lq + query) * H + head) * D, from, D * sizeof(float));
  }
}

/// The tokens, [B,Lq], of which some head is stale.
Marks tokens_of(const Marks& queries, const Config& config) {
  Marks tokens(config.batch * config.query_len);
  for (std::size_t place = 0; place < queries.size(); ++place) {
    if (!queries[place]) continue;
    const std::size_t sample = place / config.query_len / config.num_heads;
    tokens.mark(sample * config.query_len + place % config.query_len);
  }
  return tokens;
}

/// [B,L,E] → [B,H,L,D], two views.
Tensor split(const Tensor& projected, const Config& config) {
  return projected.reshape({config.batch, projected.dim(1), config.num_heads, config.head_dim()});
}

}  // namespace

bool is_laid_out(const Trace& trace, const Inputs& inputs, const Weights& weights,
                 const Options& options) {
  if (!trace.has(TensorId::output) || !trace.is_as_remembered(TensorId::output) ||
      trace.config.num_heads != options.num_heads || !(trace.config.scale == options.scale) ||
      !trace.interventions.none() || !options.interventions.none()) {
    return false;
  }
  for (const auto& [id, tensor] : given_tensors(inputs, weights)) {
    if (!trace[id].is_same_view(tensor)) return false;
  }
  for (const TensorId id : written) {
    if (is_own(trace, id) && !trace.is_sole_reader(id)) return false;
  }
  return inputs.mask.defined()
             ? trace[TensorId::mask].is_same_view(expanded(inputs.mask, trace.config))
             : !trace.has(TensorId::mask);
}

void lay_out(const Config& config, const Inputs& inputs, const Weights& weights,
             const Changes& changes, Trace& trace) {
  const bool again = has_structure(trace, config, inputs, weights);
  if (!again) trace = {};  // its memory is free before more is asked for
  const std::size_t B = config.batch;
  const std::size_t Lq = config.query_len;
  const std::size_t Lk = config.key_len;
  const std::size_t E = config.embed_dim;
  const std::size_t H = config.num_heads;
  const std::size_t D = config.head_dim();
  std::array<Tensor, written.size()> rooms;
  for (std::size_t i = 0; again && i < written.size(); ++i) {
    if (!is_own(trace, written[i])) continue;
    if (trace.is_sole_reader(written[i])) {
      rooms[i] = trace[written[i]];
    } else if (!changes.everything) {
      rooms[i] = trace[written[i]].clone();
    }
  }
  const auto room = [&rooms](TensorId id, const Shape& shape) {
    for (std::size_t i = 0; i < written.size(); ++i) {
      if (written[i] == id && rooms[i].defined()) return rooms[i];
    }
    return Tensor::uninitialized(shape);
  };

  trace.config = config;
  for (const auto& [id, tensor] : given_tensors(inputs, weights)) trace.put(id, tensor);
  trace.put(TensorId::mask, expanded(inputs.mask, config));

  const Tensor q = weights.q_proj_weight.defined() ? room(TensorId::q, {B, Lq, E}) : inputs.query;
  const Tensor k = weights.k_proj_weight.defined() ? room(TensorId::k, {B, Lk, E}) : inputs.key;
  const Tensor v = weights.v_proj_weight.defined() ? room(TensorId::v, {B, Lk, E}) : inputs.value;
  trace.put(TensorId::q, q);
  trace.put(TensorId::k, k);
  trace.put(TensorId::v, v);
  trace.put(TensorId::q_split, split(q, config));  // [B,Lq,H,D]
  trace.put(TensorId::k_split, split(k, config));  // [B,Lk,H,D]
  trace.put(TensorId::v_split, split(v, config));  // [B,Lk,H,D]
  trace.put(TensorId::q_heads, trace[TensorId::q_split].transpose(1, 2));
  trace.put(TensorId::k_heads, trace[TensorId::k_split].transpose(1, 2));
  trace.put(TensorId::v_heads, trace[TensorId::v_split].transpose(1, 2));

  const Shape square{B, H, Lq, Lk};
  const Tensor scores = room(TensorId::scores, square);
  const Tensor scaled = config.divisor() ? room(TensorId::scaled_scores, square) : scores;
  trace.put(TensorId::scores, scores);
  trace.put(TensorId::scaled_scores, scaled);
  trace.put(TensorId::masked_scores,
            inputs.mask.defined() ? room(TensorId::masked_scores, square) : scaled);
  trace.put(TensorId::attention_weights, room(TensorId::attention_weights, square));

  const Tensor head_outputs = room(TensorId::head_outputs, {B, H, Lq, D});
  const Tensor merged_split = head_outputs.transpose(1, 2);  // [B,Lq,H,D]
  const Tensor merged = merged_split.is_contiguous() ? merged_split.reshape({B, Lq, E})
                                                     : room(TensorId::merged, {B, Lq, E});
  trace.put(TensorId::head_outputs, head_outputs);
  trace.put(TensorId::merged_split, merged_split);
  trace.put(TensorId::merged, merged);
  trace.put(TensorId::output,
            weights.out_proj_weight.defined() ? room(TensorId::output, {B, Lq, E}) : merged);
}

void compute_in_place(const Changes& changes, Trace& trace) {
  using enum TensorId;
  const Config& config = trace.config;
  const bool all = changes.everything;
  static const Stale everything{true, {}, {}};
  const auto stale = [all](const Stale& some) -> const Stale& { return all ? everything : some; };
  project(trace, query_input, q_proj_weight, q_proj_bias, stale(changes.q), q);
  project(trace, key_input, k_proj_weight, k_proj_bias, stale(changes.k), k);
  project(trace, value_input, v_proj_weight, v_proj_bias, stale(changes.v), v);

  const Marks queries = all ? Marks() : stale_queries(changes, config);
  if (all || queries.any()) {
    const Marks* some = all ? nullptr : &queries;
    scaled_dot_product_attention(
        trace[q_heads], trace[k_heads], trace[v_heads], config.divisor(), trace[mask], some,
        {trace.write(scores), trace.write(scaled_scores), trace.write(masked_scores),
         trace.write(attention_weights), trace.write(head_outputs), trace[head_outputs].strides()});
    merge(some, trace);
  }

  Stale of_output;
  if (!all) of_output = {false, tokens_of(queries, config), changes.output_features};
  project(trace, merged, out_proj_weight, out_proj_bias, stale(of_output), output);
  trace.remember();
}

Tensor compute_output(const Config& config, const Inputs& inputs, const Weights& weights) {
  const auto projected = [&config](const Tensor& input, const Tensor& weight, const Tensor& bias) {
    if (!weight.defined()) return input;
    Tensor result = Tensor::uninitialized({config.batch, input.dim(1), config.embed_dim});
    project(input, weight, bias, {true, {}, {}}, result.mutable_data());
    return result;
  };
  const auto heads = [&](const Tensor& input, const Tensor& weight, const Tensor& bias) {
    return split(projected(input, weight, bias), config).transpose(1, 2);
  };
  const Tensor q = heads(inputs.query, weights.q_proj_weight, weights.q_proj_bias);
  const Tensor k = heads(inputs.key, weights.k_proj_weight, weights.k_proj_bias);
  const Tensor v = heads(inputs.value, weights.v_proj_weight, weights.v_proj_bias);
  Tensor merged = Tensor::uninitialized({config.batch, config.query_len, config.embed_dim});
  ScaledDotProduct result;
  result.head_outputs = merged.mutable_data();  // written where they are merged
  result.head_output_strides = split(merged, config).transpose(1, 2).strides();
  scaled_dot_product_attention(q, k, v, config.divisor(), expanded(inputs.mask, config), nullptr,
                               result);
  return projected(merged, weights.out_proj_weight, weights.out_proj_bias);
}

}  // namespace attention
