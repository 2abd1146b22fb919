#include "attention/in_place.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

#include "attention/intervene.hpp"
#include "attention/lanes.hpp"
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

/// A linear layer: input [..,in] · weightᵀ [in,out] + bias [out].
struct Layer {
  TensorId input;
  TensorId weight;
  TensorId bias;
  TensorId result;
};

constexpr std::array<Layer, 3> projections{{
    {TensorId::query_input, TensorId::q_proj_weight, TensorId::q_proj_bias, TensorId::q},
    {TensorId::key_input, TensorId::k_proj_weight, TensorId::k_proj_bias, TensorId::k},
    {TensorId::value_input, TensorId::v_proj_weight, TensorId::v_proj_bias, TensorId::v},
}};
constexpr Layer output_layer{TensorId::merged, TensorId::out_proj_weight, TensorId::out_proj_bias,
                             TensorId::output};

/// The tokens of all samples, one below the other.
MatrixView token_rows(const Tensor& input, std::optional<Tensor>& copy) {
  return {in_order(input, copy), input.dim(0) * input.dim(1), input.dim(2), input.dim(2), 1};
}

/// What the layer computes, into its result in the trace.
Product product_of(const Layer& layer, Trace& trace, std::optional<Tensor>& copied_bias) {
  const PackedMatrix& weight = packed_transpose_once(trace[layer.weight]);
  Product product{&weight, trace.write(layer.result), weight.columns()};
  if (const Tensor& bias = trace[layer.bias]; bias.defined()) {
    product.bias = bias.has_contiguous_rows() ? bias.data() : in_order(bias, copied_bias);
  }
  return product;
}

/// Layers that read the same input, in one pass over it; nothing where there is no such layer: the
/// result is the input. (The span is not passed by value: in wasm that copies both of its words in
/// one, which waits for each of them to be written.)
void project(const std::span<const Layer>& layers, Trace& trace) {
  std::array<Product, projections.size()> products;
  std::array<std::optional<Tensor>, projections.size()> copied_biases;
  std::size_t count = 0;
  for (const Layer& layer : layers) {
    if (!trace.has(layer.weight)) continue;
    products[count] = product_of(layer, trace, copied_biases[count]);
    ++count;
  }
  if (count == 0) return;
  std::optional<Tensor> copied_input;
  multiply(token_rows(trace[layers.front().input], copied_input), std::span(products).first(count));
}

/// Whether one more layer reads the same input, and may be computed in the same pass: of weights
/// that are slices of one storage, one at a time is packed.
bool go_together(const std::span<const Layer>& layers, const Layer& other, const Trace& trace) {
  return std::all_of(layers.begin(), layers.end(), [&](const Layer& layer) {
    return trace[layer.input].is_same_view(trace[other.input]) &&
           !trace[layer.weight].shares_storage_with(trace[other.weight]);
  });
}

/// What is stale of a layer.
void project_stale(const Layer& layer, const Stale& stale, Trace& trace) {
  if (!trace.has(layer.weight) || !stale.any()) return;
  std::optional<Tensor> copied_input;
  std::optional<Tensor> copied_bias;
  const MatrixView all = token_rows(trace[layer.input], copied_input);
  Product product = product_of(layer, trace, copied_bias);
  for (Marks::Run run = stale.rows.run_from(0, all.rows, all.rows); run.count > 0;
       run = stale.rows.run_from(run.first + run.count, all.rows, all.rows)) {
    MatrixView some = all;
    some.data += run.first * all.row_stride;
    some.rows = run.count;
    Product of_run = product;
    of_run.result += run.first * product.result_stride;
    multiply(some, of_run);
  }
  if (!stale.columns.any()) return;
  product.marked = &stale.columns;
  multiply(all, product);
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
        if (whole_head || changes.q.rows[first_token + query] || changes.masked_rows[place] ||
            changes.switched_rows[place]) {
          queries.mark(place);
        }
      }
    }
  }
  return queries;
}

/// `count` numbers. (Of a few of them, a call of memcpy would take longer than the copying.)
void copy_row(const float* from, std::size_t count, float* to) {
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) store_four(load_four(from + i), to + i);
  for (; i < count; ++i) to[i] = from[i];
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
  float* sample = trace.write(TensorId::merged);
  std::size_t place = 0;
  for (std::size_t b = 0; b < B; ++b, sample += Lq * H * D) {
    for (std::size_t head = 0; head < H; ++head) {
      float* to = sample + head * D;
      for (std::size_t query = 0; query < Lq; ++query, ++place, from += D, to += H * D) {
        if (queries == nullptr || (*queries)[place]) copy_row(from, D, to);
      }
    }
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
  if (all) {
    for (std::span<const Layer> left(projections); !left.empty();) {
      std::size_t together = 1;
      while (together < left.size() && go_together(left.first(together), left[together], trace))
        ++together;
      project(left.first(together), trace);
      left = left.subspan(together);
    }
  } else {
    project_stale(projections[0], changes.q, trace);
    project_stale(projections[1], changes.k, trace);
    project_stale(projections[2], changes.v, trace);
  }

  const Marks queries = all ? Marks() : stale_queries(changes, config);
  if (all || queries.any()) {
    const Marks* some = all ? nullptr : &queries;
    ScaledDotProduct result;
    // Where nothing but values changed, scores and weights are what they should be.
    const bool weights_stand = !changes.reach(attention_weights);
    if (weights_stand) {
      result.given_masked_scores = trace[masked_scores].data();
      result.given_attention_weights = trace[attention_weights].data();
    } else {
      result.scores = trace.write(scores);
      result.scaled_scores = trace.write(scaled_scores);
      result.masked_scores = trace.write(masked_scores);
      result.attention_weights = trace.write(attention_weights);
    }
    result.head_outputs = trace.write(head_outputs);
    result.head_output_strides = trace[head_outputs].strides();
    scaled_dot_product_attention(trace[q_heads], trace[k_heads], trace[v_heads], config.divisor(),
                                 trace[mask], some, result);
    if (!trace.interventions.none()) intervene(some, weights_stand, trace);
    merge(some, trace);
  }

  if (all) {
    project({&output_layer, 1}, trace);
  } else {
    project_stale(output_layer, {tokens_of(queries, config), changes.output_features}, trace);
  }
}

}  // namespace attention
