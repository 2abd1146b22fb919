// Attentions of several shapes, with made-up numbers.
#pragma once

#include <array>
#include <cstddef>

#include "attention/helpers.hpp"
#include "attention/multi_head_attention.hpp"

namespace attention::test {

/// What an attention is computed from.
struct Problem {
  Inputs inputs;
  Weights weights;
  Options options;

  Result<Trace> afresh() const { return multi_head_attention(inputs, weights, options); }
};

/// Everything, from scratch; where it is refused, the test fails.
inline Trace compute(const Inputs& inputs, const Weights& weights, const Options& options) {
  Result<Trace> trace = multi_head_attention(inputs, weights, options);
  EXPECT_TRUE(trace.has_value()) << (trace ? "" : trace.error().message);
  return trace ? *std::move(trace) : Trace();
}

struct Sizes {
  std::size_t batch, query_len, key_len, heads, head_dim;
  bool self, projections, biases;
};

// Blocks of the product (256) and queries taken together (8 to 64) begin and end inside; odd sizes;
// small products (up to 16) and others.
inline constexpr std::array<Sizes, 8> all_sizes{{{1, 3, 3, 2, 3, true, true, true},
                                                 {2, 9, 9, 3, 5, true, true, false},
                                                 {1, 67, 67, 2, 8, true, true, true},
                                                 {3, 4, 6, 2, 4, false, true, true},
                                                 {1, 5, 5, 1, 6, true, false, false},
                                                 {2, 17, 17, 3, 7, true, true, true},
                                                 {1, 9, 16, 2, 16, false, true, true},
                                                 {1, 2, 20, 2, 130, false, true, true}}};

inline Problem made_up(const Sizes& sizes, Numbers& numbers) {
  const std::size_t E = sizes.heads * sizes.head_dim;
  Problem problem;
  Inputs& inputs = problem.inputs;
  inputs.query = numbers.tensor({sizes.batch, sizes.query_len, E});
  inputs.key = sizes.self ? inputs.query : numbers.tensor({sizes.batch, sizes.key_len, E});
  inputs.value = inputs.key;
  Weights& weights = problem.weights;
  if (sizes.projections) {
    for (Tensor* weight : {&weights.q_proj_weight, &weights.k_proj_weight, &weights.v_proj_weight,
                           &weights.out_proj_weight}) {
      *weight = numbers.tensor({E, E});
    }
  }
  if (sizes.biases) {
    for (Tensor* bias : {&weights.q_proj_bias, &weights.k_proj_bias, &weights.v_proj_bias,
                         &weights.out_proj_bias}) {
      *bias = numbers.tensor({E});
    }
  }
  problem.options.num_heads = sizes.heads;
  return problem;
}

}  // namespace attention::test
