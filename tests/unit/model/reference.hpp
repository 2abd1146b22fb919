// Multi-head attention once more, as plain loops over plain arrays of doubles: no views, no
// strides, no shared code.
#pragma once

#include "model/attention/attention_part.hpp"
#include "model/problems.hpp"

namespace model {

/// y = x·Wᵀ + b for x [B,L,in]; x itself where there is no weight.
inline Array linear_reference(const Array& x, const Tensor& weight, const Tensor& bias) {
  if (!weight.defined()) return x;
  Array y({x.shape[0], x.shape[1], weight.dim(0)});
  for (std::size_t b = 0; b < y.shape[0]; ++b) {
    for (std::size_t i = 0; i < y.shape[1]; ++i) {
      for (std::size_t o = 0; o < y.shape[2]; ++o) {
        double sum = bias.defined() ? static_cast<double>(bias.at({o})) : 0.0;
        for (std::size_t e = 0; e < x.shape[2]; ++e) {
          sum += x[{b, i, e}] * static_cast<double>(weight.at({o, e}));
        }
        y[{b, i, o}] = sum;
      }
    }
  }
  return y;
}

/// What the mask adds to the score [b,h,i,j].
inline double mask_reference(const Tensor& mask, std::size_t b, std::size_t h, std::size_t i,
                             std::size_t j) {
  if (!mask.defined()) return 0.0;
  const auto along = [&](std::size_t axis, std::size_t index) {
    return mask.dim(axis) == 1 ? 0 : index;
  };
  switch (mask.rank()) {
    case 2:
      return static_cast<double>(mask.at({along(0, i), along(1, j)}));
    case 3:
      return static_cast<double>(mask.at({along(0, b), along(1, i), along(2, j)}));
    default:
      return static_cast<double>(mask.at({along(0, b), along(1, h), along(2, i), along(3, j)}));
  }
}

struct Reference {
  Array q, k, v;                                                  // [B,L,E]
  Array scores, scaled_scores, masked_scores, attention_weights;  // [B,H,Lq,Lk]
  Array weighted_values;                                          // [B,H,Lq,Lk,D]
  Array head_outputs;                                             // [B,H,Lq,D]
  Array merged, output;                                           // [B,Lq,E]
};

inline Reference reference_attention(const Tensors& given, const Options& options) {
  const std::size_t B = given["query_input"].dim(0);
  const std::size_t Lq = given["query_input"].dim(1);
  const std::size_t Lk = given["key_input"].dim(1);
  const std::size_t E = given["query_input"].dim(2);
  const std::size_t H = options.num_heads;
  const std::size_t D = E / H;
  double divisor = 1.0;
  if (options.scale.kind == Scale::Kind::sqrt_head_dim) divisor = std::sqrt(static_cast<double>(D));
  if (options.scale.kind == Scale::Kind::sqrt_keys) divisor = std::sqrt(static_cast<double>(Lk));
  if (options.scale.kind == Scale::Kind::number)
    divisor = static_cast<double>(options.scale.number);

  Reference r;
  r.q = linear_reference(Array(given["query_input"]), given["q_proj_weight"], given["q_proj_bias"]);
  r.k = linear_reference(Array(given["key_input"]), given["k_proj_weight"], given["k_proj_bias"]);
  r.v = linear_reference(Array(given["value_input"]), given["v_proj_weight"], given["v_proj_bias"]);
  r.scores = r.scaled_scores = r.masked_scores = r.attention_weights = Array({B, H, Lq, Lk});
  r.weighted_values = Array({B, H, Lq, Lk, D});
  r.head_outputs = Array({B, H, Lq, D});
  r.merged = Array({B, Lq, E});
  for (std::size_t b = 0; b < B; ++b) {
    for (std::size_t h = 0; h < H; ++h) {
      for (std::size_t i = 0; i < Lq; ++i) {
        double total = 0.0;
        for (std::size_t j = 0; j < Lk; ++j) {
          double score = 0.0;
          for (std::size_t d = 0; d < D; ++d)
            score += r.q[{b, i, h * D + d}] * r.k[{b, j, h * D + d}];
          r.scores[{b, h, i, j}] = score;
          r.scaled_scores[{b, h, i, j}] = score / divisor;
          const double masked = score / divisor + mask_reference(given["mask"], b, h, i, j);
          r.masked_scores[{b, h, i, j}] = masked;
          total += std::exp(masked);
        }
        for (std::size_t j = 0; j < Lk; ++j) {
          double weight = total == 0.0 ? 0.0 : std::exp(r.masked_scores[{b, h, i, j}]) / total;
          for (const GivenWeights& row : options.overrides.given_weights) {
            if (row.sample == b && row.head == h && row.query == i) {
              weight = static_cast<double>(row.weights[j]);
            }
          }
          r.attention_weights[{b, h, i, j}] = weight;
          for (std::size_t d = 0; d < D; ++d) {
            const double value = weight * r.v[{b, j, h * D + d}];
            r.weighted_values[{b, h, i, j, d}] = value;
            r.head_outputs[{b, h, i, d}] += value;
            r.merged[{b, i, h * D + d}] += value;
          }
        }
      }
    }
  }
  r.output = linear_reference(r.merged, given["out_proj_weight"], given["out_proj_bias"]);
  return r;
}

/// [B,L,E] as [B,L,H,D].
inline Array split_reference(const Array& x, std::size_t heads) {
  Array split({x.shape[0], x.shape[1], heads, x.shape[2] / heads});
  split.values = x.values;
  return split;
}

/// [B,L,H,D] as [B,H,L,D], or back: axes 1 and 2 swapped.
inline Array swap_reference(const Array& x) {
  Array swapped({x.shape[0], x.shape[2], x.shape[1], x.shape[3]});
  for (std::size_t b = 0; b < x.shape[0]; ++b) {
    for (std::size_t i = 0; i < x.shape[1]; ++i) {
      for (std::size_t j = 0; j < x.shape[2]; ++j) {
        for (std::size_t d = 0; d < x.shape[3]; ++d) swapped[{b, j, i, d}] = x[{b, i, j, d}];
      }
    }
  }
  return swapped;
}

/// Holds every tensor of the trace against the reference.
inline void expect_trace(const Trace& trace, const Tensors& given, const Options& options,
                         const std::string& what, double tolerance = 1e-5) {
  const Reference r = reference_attention(given, options);
  const std::size_t H = options.num_heads;
  const auto expect = [&](TensorId id, const Array& theirs) {
    expect_close(trace[id], theirs, tolerance, what + ": " + std::string(name_of(id)));
  };
  expect("query_input", Array(given["query_input"]));
  expect("key_input", Array(given["key_input"]));
  expect("value_input", Array(given["value_input"]));
  expect("q", r.q);
  expect("k", r.k);
  expect("v", r.v);
  expect("q_split", split_reference(r.q, H));
  expect("k_split", split_reference(r.k, H));
  expect("v_split", split_reference(r.v, H));
  expect("q_heads", swap_reference(split_reference(r.q, H)));
  expect("k_heads", swap_reference(split_reference(r.k, H)));
  expect("v_heads", swap_reference(split_reference(r.v, H)));
  expect("scores", r.scores);
  expect("scaled_scores", r.scaled_scores);
  expect("masked_scores", r.masked_scores);
  expect("attention_weights", r.attention_weights);
  expect("head_outputs", r.head_outputs);
  expect("merged_split", swap_reference(r.head_outputs));
  expect("merged", r.merged);
  expect("output", r.output);
  EXPECT_EQ(trace.has("mask"), given["mask"].defined()) << what;
  EXPECT_FALSE(trace.has("weighted_values")) << what;

  for (std::size_t query = 0; query < trace.config.query_len; ++query) {
    const Tensor ours = trace.at_query("weighted_values", query);
    Array theirs({trace.config.batch, H, 1, trace.config.key_len, trace.config.head_dim()});
    Index index = Extents::filled(5, 0);
    do {
      theirs[index] = r.weighted_values[{index[0], index[1], query, index[3], index[4]}];
    } while (next_index(index, theirs.shape));
    expect_close(ours, theirs, tolerance, what + ": weighted_values");
  }
}

}  // namespace model
