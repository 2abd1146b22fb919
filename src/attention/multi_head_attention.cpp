#include "attention/multi_head_attention.hpp"

#include <algorithm>
#include <optional>

#include "attention/checks.hpp"
#include "attention/elementwise.hpp"
#include "attention/given_tensors.hpp"
#include "attention/in_place.hpp"
#include "attention/lay_out.hpp"
#include "attention/linear.hpp"
#include "attention/mask.hpp"
#include "attention/matmul.hpp"
#include "attention/mistakes.hpp"
#include "attention/softmax.hpp"

namespace attention {
namespace {

/// The linear layer, or the input itself where there is none.
Tensor project(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  return weight.defined() ? linear(input, weight, bias) : input;
}

/// One row per query: calls `visit(sample, head, query)` where the mask hides every key.
template <typename Visit>
void for_fully_masked(const Trace& trace, Visit visit) {
  if (!trace.has(TensorId::mask)) return;
  Index row = Extents::filled(3, 0);
  const Shape rows{trace.config.batch, trace.config.num_heads, trace.config.query_len};
  do {
    if (trace.fully_masked(row[0], row[1], row[2])) visit(row);
  } while (next_index(row, rows));
}

/// The row [b,h,query] of a contiguous tensor [B,H,Lq,length] that has just been made.
std::span<float> row_of(Tensor& tensor, const Index& row) {
  const std::size_t first = tensor.position({row[0], row[1], row[2], 0});
  return {tensor.mutable_data() + (first - tensor.offset()), tensor.shape().back()};
}

/// What masking makes of the scores, rightly or by a mistake.
Tensor mask_scores(const Tensor& scaled_scores, const Tensor& mask, Mistake mistake) {
  if (!mask.defined()) return scaled_scores;
  if (mistake == Mistake::mask_with_zero) return mask_with_zero(scaled_scores, mask);
  if (mistake == Mistake::mask_after_softmax) return without_hiding(scaled_scores, mask);
  return add(scaled_scores, mask);
}

/// softmax, but 0 for a query that may see no key even where a score is NaN, and the rows that were
/// given as given.
Tensor weigh(const Tensor& masked_scores, const Trace& trace) {
  const Mistake mistake = trace.interventions.mistake;
  const bool over_queries = mistake == Mistake::softmax_over_queries;
  Tensor weights = over_queries ? softmax_over_queries(masked_scores) : softmax(masked_scores);
  if (mistake == Mistake::mask_after_softmax && trace.has(TensorId::mask)) {
    hide_weights(weights, trace[TensorId::mask]);
  }
  for_fully_masked(trace, [&](const Index& row) {
    for (float& weight : row_of(weights, row)) weight = 0.0F;
  });
  for (const GivenWeights& given : trace.interventions.given_weights) {
    const std::span<float> row = row_of(weights, {given.sample, given.head, given.query});
    std::copy(given.weights.begin(), given.weights.end(), row.begin());
  }
  return weights;
}

/// weights · values, but 0 for a query that may see no key even where a value is NaN or ∞, and for
/// a head that is switched off.
Tensor reweight(const Tensor& attention_weights, const Tensor& v_heads, const Trace& trace) {
  Tensor sums = matmul(attention_weights, v_heads);
  for_fully_masked(trace, [&](const Index& row) {
    if (trace.interventions.gives(row[0], row[1], row[2])) return;
    for (float& sum : row_of(sums, row)) sum = 0.0F;
  });
  for (const std::size_t head : trace.interventions.ablated_heads) {
    for (std::size_t sample = 0; sample < sums.dim(0); ++sample) {
      for (std::size_t query = 0; query < sums.dim(2); ++query) {
        for (float& sum : row_of(sums, {sample, head, query})) sum = 0.0F;
      }
    }
  }
  return sums;
}

/// Every step by itself, with what is done on purpose: the text of what compute_in_place does fast.
Trace compute_step_by_step(const Config& config, const Inputs& inputs, const Weights& weights,
                           const Interventions& interventions) {
  const std::size_t B = config.batch;
  const std::size_t Lq = config.query_len;
  const std::size_t Lk = config.key_len;
  const std::size_t E = config.embed_dim;
  const std::size_t H = config.num_heads;
  const std::size_t D = config.head_dim();
  // What is done wrong on purpose, if anything: see mistakes.hpp.
  const Mistake mistake = interventions.mistake;

  Trace trace;
  trace.config = config;
  trace.interventions = interventions;

  // 1. Input: what attends, what is attended to, and what is passed on.
  for (const auto& [id, tensor] : given_tensors(inputs, weights)) trace.put(id, tensor);
  const Tensor& query_input = inputs.query;  // [B,Lq,E]
  const Tensor& key_input = inputs.key;      // [B,Lk,kdim]
  const Tensor& value_input = inputs.value;  // [B,Lk,vdim]

  // 2. Project: one linear layer each, for all heads at once.
  const Tensor q = project(query_input, weights.q_proj_weight, weights.q_proj_bias);  // [B,Lq,E]
  const Tensor k = project(key_input, weights.k_proj_weight, weights.k_proj_bias);    // [B,Lk,E]
  const Tensor v = project(value_input, weights.v_proj_weight, weights.v_proj_bias);  // [B,Lk,E]
  trace.put(TensorId::q, q);
  trace.put(TensorId::k, k);
  trace.put(TensorId::v, v);

  // 3. Split: head h reads the columns h·D … h·D + D − 1. A view; no number moves.
  const Tensor q_split = q.reshape({B, Lq, H, D});  // [B,Lq,H,D]
  const Tensor k_split = k.reshape({B, Lk, H, D});  // [B,Lk,H,D]
  const Tensor v_split = v.reshape({B, Lk, H, D});  // [B,Lk,H,D]
  trace.put(TensorId::q_split, q_split);
  trace.put(TensorId::k_split, k_split);
  trace.put(TensorId::v_split, v_split);

  // 4. Transpose: heads before tokens, so that each head is a matrix. A view with other strides.
  const auto to_heads = [mistake](const Tensor& split) {
    return mistake == Mistake::no_transpose ? heads_without_transpose(split)
                                            : split.transpose(1, 2);
  };
  const Tensor q_heads = to_heads(q_split);  // [B,H,Lq,D]
  const Tensor k_heads = to_heads(k_split);  // [B,H,Lk,D]
  const Tensor v_heads = to_heads(v_split);  // [B,H,Lk,D]
  trace.put(TensorId::q_heads, q_heads);
  trace.put(TensorId::k_heads, k_heads);
  trace.put(TensorId::v_heads, v_heads);

  // 5. Scores: each query with each key.
  const Tensor keys = mistake == Mistake::keys_not_transposed
                          ? k_heads                   // [B,H,Lk,D], where Lk is D
                          : k_heads.transpose(2, 3);  // [B,H,D,Lk]
  const Tensor scores = matmul(q_heads, keys);        // [B,H,Lq,Lk]
  trace.put(TensorId::scores, scores);

  // 6. Scale: without a scale the scores are passed on as they are, the same numbers in the same
  // place.
  const std::optional<float> scale = mistake == Mistake::no_scale ? std::nullopt : config.divisor();
  const Tensor scaled_scores = scale ? divide(scores, *scale) : scores;  // [B,H,Lq,Lk]
  trace.put(TensorId::scaled_scores, scaled_scores);

  // 7. Mask: −∞ hides a key from a query. Without a mask, passed on likewise.
  const Tensor mask = expand_mask(inputs.mask, B, H, Lq, Lk);  // [B,H,Lq,Lk]
  trace.put(TensorId::mask, mask);
  const Tensor masked_scores = mask_scores(scaled_scores, mask, mistake);  // [B,H,Lq,Lk]
  trace.put(TensorId::masked_scores, masked_scores);

  // 8. Softmax over the keys: each query's weights sum to 1.
  const Tensor attention_weights = weigh(masked_scores, trace);  // [B,H,Lq,Lk]
  trace.put(TensorId::attention_weights, attention_weights);

  // 9. Reweight: each query's sum of the values, by its weights.
  const Tensor head_outputs = reweight(attention_weights, v_heads, trace);  // [B,H,Lq,D]
  trace.put(TensorId::head_outputs, head_outputs);

  // 10. Merge: tokens before heads again (a view), then the heads side by side (a copy: the numbers
  // must move).
  const Tensor merged_split = mistake == Mistake::no_transpose
                                  ? merged_without_transpose(head_outputs)
                                  : head_outputs.transpose(1, 2);       // [B,Lq,H,D]
  const Tensor merged = merged_split.contiguous().reshape({B, Lq, E});  // [B,Lq,E]
  trace.put(TensorId::merged_split, merged_split);
  trace.put(TensorId::merged, merged);

  // 11. Output: the last linear layer mixes the heads.
  const Tensor output =
      project(merged, weights.out_proj_weight, weights.out_proj_bias);  // [B,Lq,E]
  trace.put(TensorId::output, output);
  return trace;
}

}  // namespace

Result<Trace> multi_head_attention(const Inputs& inputs, const Weights& weights,
                                   const Options& options) {
  Trace trace;
  const Result<void> computed = recompute(inputs, weights, options, trace);
  if (!computed) return fail(computed.error());
  return trace;
}

Result<void> recompute(const Inputs& inputs, const Weights& weights, const Options& options,
                       Trace& trace) {
  const Result<Config> config = check(inputs, weights, options);
  if (!config) return fail(config.error());
  const Interventions& interventions = options.interventions;
  if (options.step_by_step || interventions.mistake != Mistake::none) {
    trace = {};  // its memory is free before more is asked for
    trace = compute_step_by_step(*config, inputs, weights, interventions);
    return {};
  }
  // What did not change is replaced by the tensor that was there.
  Inputs given_inputs = inputs;
  Weights given_weights = weights;
  const Changes changes = changes_since(trace, *config, given_inputs, given_weights, interventions);
  lay_out(*config, given_inputs, given_weights, changes, trace);
  trace.interventions = interventions;
  compute_in_place(changes, trace);
  trace.remember();
  return {};
}

}  // namespace attention
