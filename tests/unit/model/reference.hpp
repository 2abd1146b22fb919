// Multi-head attention once more, as plain loops over plain arrays of doubles: no views, no
// strides, no shared code. With the mistakes that can be made, and what else is changed on purpose.
#pragma once

#include <map>

#include "model/attention/attention_part.hpp"
#include "model/problems.hpp"

namespace model {

/// Arrays by name; one that is not there has no numbers.
struct Arrays {
  std::map<TensorId, Array> by_name;

  const Array& operator[](TensorId id) const {
    static const Array none;
    const auto found = by_name.find(id);
    return found == by_name.end() ? none : found->second;
  }
};

/// y = x·Wᵀ + b for x [B,L,in]; x itself where there is no weight.
inline Array linear_reference(const Array& x, const Array& weight, const Array& bias) {
  if (weight.values.empty()) return x;
  Array y({x.shape[0], x.shape[1], weight.shape[0]});
  for (std::size_t b = 0; b < y.shape[0]; ++b) {
    for (std::size_t i = 0; i < y.shape[1]; ++i) {
      for (std::size_t o = 0; o < y.shape[2]; ++o) {
        double sum = bias.values.empty() ? 0.0 : bias[{o}];
        for (std::size_t e = 0; e < x.shape[2]; ++e) sum += x[{b, i, e}] * weight[{o, e}];
        y[{b, i, o}] = sum;
      }
    }
  }
  return y;
}

inline Array linear_reference(const Array& x, const Tensor& weight, const Tensor& bias) {
  const auto array_of = [](const Tensor& t) { return t.defined() ? Array(t) : Array(); };
  return linear_reference(x, array_of(weight), array_of(bias));
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

/// What is given, in double; the mask as [B,H,Lq,Lk].
inline Arrays arrays_of(const Tensors& given, std::size_t heads) {
  Arrays arrays;
  for (const TensorId id : given.present()) arrays.by_name[id] = Array(given[id]);
  const Tensor& mask = given["mask"];
  if (!mask.defined()) return arrays;
  Array& expanded = arrays.by_name["mask"];
  expanded = Array(
      {given["query_input"].dim(0), heads, given["query_input"].dim(1), given["key_input"].dim(1)});
  Index at = Extents::filled(4, 0);
  do {
    expanded[at] = mask_reference(mask, at[0], at[1], at[2], at[3]);
  } while (next_index(at, expanded.shape));
  return arrays;
}

inline double divisor_reference(const Options& options, std::size_t head_dim, std::size_t keys) {
  if (options.overrides.mistake == Mistake::no_scale) return 1.0;
  switch (options.scale.kind) {
    case Scale::Kind::sqrt_head_dim:
      return std::sqrt(static_cast<double>(head_dim));
    case Scale::Kind::sqrt_keys:
      return std::sqrt(static_cast<double>(keys));
    case Scale::Kind::number:
      return static_cast<double>(options.scale.number);
    default:
      return 1.0;
  }
}

/// The number [b,h,i,d] of x [B,L,heads · D] that was split into heads, rightly or not.
inline double head_number(const Array& x, Mistake mistake, std::size_t head_dim, const Index& at) {
  const std::size_t length = x.shape[1];
  if (mistake == Mistake::no_transpose) {
    const std::size_t first = at[0] * length * x.shape[2];
    return x.values[first + (at[1] * length + at[2]) * head_dim + at[3]];
  }
  return x[{at[0], at[2], at[1] * head_dim + at[3]}];
}

/// A score that is masked, by a mask that adds `mask` to it.
inline double masked_reference(double score, double mask, Mistake mistake) {
  const bool hides = mask == -HUGE_VAL;
  if (hides && mistake == Mistake::mask_with_zero) return 0.0;
  if (hides && mistake == Mistake::mask_after_softmax) return score;
  return score + mask;
}

inline Reference reference_attention(const Arrays& given, const Options& options) {
  const std::size_t B = given["query_input"].shape[0];
  const std::size_t Lq = given["query_input"].shape[1];
  const std::size_t Lk = given["key_input"].shape[1];
  const std::size_t E = given["query_input"].shape[2];
  const std::size_t H = options.num_heads;
  const std::size_t D = E / H;
  const std::size_t shared = options.num_kv_heads == 0 ? 1 : H / options.num_kv_heads;
  const Mistake mistake = options.overrides.mistake;
  const double divisor = divisor_reference(options, D, Lk);
  const Array& mask = given["mask"];
  const auto mask_at = [&](const Index& at) { return mask.values.empty() ? 0.0 : mask[at]; };

  Reference r;
  r.q = linear_reference(given["query_input"], given["q_proj_weight"], given["q_proj_bias"]);
  r.k = linear_reference(given["key_input"], given["k_proj_weight"], given["k_proj_bias"]);
  r.v = linear_reference(given["value_input"], given["v_proj_weight"], given["v_proj_bias"]);
  const auto q = [&](const Index& at) { return head_number(r.q, mistake, D, at); };
  const auto of_group = [&](const Array& x, const Index& at) {
    return head_number(x, mistake, D, {at[0], at[1] / shared, at[2], at[3]});
  };
  r.scores = r.scaled_scores = r.masked_scores = r.attention_weights = Array({B, H, Lq, Lk});
  r.weighted_values = Array({B, H, Lq, Lk, D});
  r.head_outputs = Array({B, H, Lq, D});
  r.merged = Array({B, Lq, E});
  for (std::size_t b = 0; b < B; ++b) {
    for (std::size_t h = 0; h < H; ++h) {
      std::vector<double> of_queries(Lq);
      std::vector<double> of_keys(Lk);
      for (std::size_t i = 0; i < Lq; ++i) {
        for (std::size_t j = 0; j < Lk; ++j) {
          double score = 0.0;
          for (std::size_t d = 0; d < D; ++d) {
            const bool turned = mistake == Mistake::keys_not_transposed;
            const Index key = turned ? Index{b, h, d, j} : Index{b, h, j, d};
            score += q({b, h, i, d}) * of_group(r.k, key);
          }
          const double masked = masked_reference(score / divisor, mask_at({b, h, i, j}), mistake);
          r.scores[{b, h, i, j}] = score;
          r.scaled_scores[{b, h, i, j}] = score / divisor;
          r.masked_scores[{b, h, i, j}] = masked;
          of_queries[i] += std::exp(masked);
          of_keys[j] += std::exp(masked);
        }
      }
      for (std::size_t i = 0; i < Lq; ++i) {
        bool sees_none = mistake != Mistake::mask_with_zero;
        for (std::size_t j = 0; j < Lk; ++j)
          sees_none = sees_none && mask_at({b, h, i, j}) == -HUGE_VAL;
        bool has_weights = false;
        for (std::size_t j = 0; j < Lk; ++j) {
          const bool hides = mask_at({b, h, i, j}) == -HUGE_VAL;
          const double total =
              mistake == Mistake::softmax_over_queries ? of_keys[j] : of_queries[i];
          double weight = total == 0.0 ? 0.0 : std::exp(r.masked_scores[{b, h, i, j}]) / total;
          if (mistake == Mistake::no_softmax) weight = hides ? 0.0 : r.masked_scores[{b, h, i, j}];
          if (sees_none || (hides && mistake == Mistake::mask_after_softmax)) weight = 0.0;
          for (const GivenWeights& row : options.overrides.given_weights) {
            if (row.sample == b && row.head == h && row.query == i)
              weight = static_cast<double>(row.weights[j]);
          }
          r.attention_weights[{b, h, i, j}] = weight;
          has_weights = has_weights || weight != 0.0;
        }
        const bool is_zero = (sees_none && !has_weights) || options.overrides.ablates(h);
        for (std::size_t j = 0; j < Lk; ++j) {
          for (std::size_t d = 0; d < D; ++d) {
            const double value = r.attention_weights[{b, h, i, j}] * of_group(r.v, {b, h, j, d});
            r.weighted_values[{b, h, i, j, d}] = value;
            if (!is_zero) r.head_outputs[{b, h, i, d}] += value;
          }
        }
        for (std::size_t d = 0; d < D; ++d)
          r.merged[{b, i, h * D + d}] = r.head_outputs[{b, h, i, d}];
      }
    }
  }
  if (mistake == Mistake::no_transpose) r.merged.values = r.head_outputs.values;
  r.output = linear_reference(r.merged, given["out_proj_weight"], given["out_proj_bias"]);
  return r;
}

inline Reference reference_attention(const Tensors& given, const Options& options) {
  return reference_attention(arrays_of(given, options.num_heads), options);
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

    Array means({trace.config.batch, 1, trace.config.key_len});
    Index at = Extents::filled(3, 0);
    do {
      for (std::size_t h = 0; h < H; ++h)
        means[at] += r.attention_weights[{at[0], h, query, at[2]}] / static_cast<double>(H);
    } while (next_index(at, means.shape));
    expect_close(trace.at_query("mean_weights", query), means, tolerance, what + ": mean_weights");
  }
}

}  // namespace model
