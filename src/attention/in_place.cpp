#include "attention/in_place.hpp"

#include <cstring>
#include <optional>

#include "attention/matmul.hpp"
#include "attention/scaled_dot_product.hpp"

namespace attention {
namespace {

/// The numbers of `tensor` in index order; `copy` keeps them where they had to be copied.
const float* in_order(const Tensor& tensor, std::optional<Tensor>& copy) {
  if (tensor.is_contiguous()) return tensor.data();
  copy = tensor.clone();
  return copy->data();
}

/// One linear layer, or what is stale of it: input [..,in] · weightᵀ [in,out] + bias [out].
void project(const Tensor& input, const Tensor& weight, const Tensor& bias, const Stale& stale,
             float* cells) {
  const PackedMatrix& packed = packed_transpose_once(weight);
  std::optional<Tensor> copied_input;
  std::optional<Tensor> copied_bias;
  // The tokens of all samples, one below the other.
  const MatrixView all{in_order(input, copied_input), input.dim(0) * input.dim(1), input.dim(2),
                       input.dim(2), 1};
  const float* added = bias.defined() ? in_order(bias, copied_bias) : nullptr;
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

}  // namespace

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
}

}  // namespace attention
