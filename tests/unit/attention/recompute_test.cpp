#include <array>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "attention/given_tensors.hpp"
#include "attention/helpers.hpp"
#include "attention/mask.hpp"
#include "attention/multi_head_attention.hpp"
#include "attention/same.hpp"

namespace attention {
namespace {

using test::expect_same_trace;
using test::Numbers;

/// One attention and what was computed from it.
struct Problem {
  Inputs inputs;
  Weights weights;
  Options options;
  Trace trace;

  Result<Trace> afresh() const { return multi_head_attention(inputs, weights, options); }
  void recompute_and_compare() {
    const Result<void> done = recompute(inputs, weights, options, trace);
    ASSERT_TRUE(done) << done.error().message;
    const Result<Trace> whole = afresh();
    ASSERT_TRUE(whole);
    expect_same_trace(trace, *whole);
  }
};

struct Sizes {
  std::size_t batch, query_len, key_len, heads, head_dim;
  bool self, projections, biases;
};

// Blocks of the product (256) and queries taken together (8 to 64) begin and end inside; odd sizes.
constexpr std::array<Sizes, 6> all_sizes{{{1, 3, 3, 2, 3, true, true, true},
                                          {2, 9, 9, 3, 5, true, true, false},
                                          {1, 67, 67, 2, 8, true, true, true},
                                          {3, 4, 6, 2, 4, false, true, true},
                                          {1, 5, 5, 1, 6, true, false, false},
                                          {1, 2, 20, 2, 130, false, true, true}}};

Problem made_up(const Sizes& sizes, Numbers& numbers) {
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

/// Another tensor with one number, or a few, changed.
Tensor edited(const Tensor& tensor, Numbers& numbers) {
  Tensor copy = tensor.clone();
  for (std::size_t cells = 1 + numbers.below(3); cells > 0; --cells)
    copy.set(numbers.index(copy.shape()), numbers.next());
  return copy;
}

/// Does one of the things that happen to an attention.
void edit(Problem& problem, const Sizes& sizes, Numbers& numbers) {
  const std::size_t what = numbers.below(16);
  Inputs& inputs = problem.inputs;
  if (what < 3) {
    const Tensor query = edited(inputs.query, numbers);
    if (sizes.self) inputs.key = inputs.value = query;
    inputs.query = query;
  } else if (what == 3) {
    inputs.key = edited(inputs.key, numbers);
  } else if (what == 4) {
    inputs.value = edited(inputs.value, numbers);
  } else if (what < 11) {
    const auto given = given_tensors(inputs, problem.weights);
    Tensor& tensor = given[3 + numbers.below(given.size() - 3)].tensor;
    if (tensor.defined()) tensor = edited(tensor, numbers);
  } else if (what == 11) {
    inputs.mask = inputs.mask.defined() ? edited(inputs.mask, numbers)
                                        : look_ahead_mask(sizes.query_len, sizes.key_len);
  } else if (what == 12) {
    inputs.mask = {};
  } else if (what == 13) {  // written over where it is: nobody knows what was there
    inputs.query.set(numbers.index(inputs.query.shape()), numbers.next());
  } else if (what == 14) {
    problem.options.scale.kind = problem.options.scale.kind == Scale::Kind::none
                                     ? Scale::Kind::sqrt_keys
                                     : Scale::Kind::none;
  } else {
    auto& ablated = problem.options.interventions.ablated_heads;
    if (ablated.empty()) {
      ablated.push_back(numbers.below(sizes.heads));
    } else {
      ablated.clear();
    }
  }
}

TEST(Recompute, RandomEditsGiveWhatComputingEverythingGives) {
  Numbers numbers(1);
  for (const Sizes& sizes : all_sizes) {
    Problem problem = made_up(sizes, numbers);
    problem.recompute_and_compare();
    for (int round = 0; round < 60 && !::testing::Test::HasFatalFailure(); ++round) {
      edit(problem, sizes, numbers);
      problem.recompute_and_compare();
    }
  }
}

TEST(Recompute, OddNumbersToo) {
  Numbers numbers(2);
  const Sizes& sizes = all_sizes[1];
  Problem problem = made_up(sizes, numbers);
  problem.inputs.mask = look_ahead_mask(sizes.query_len, sizes.key_len);
  problem.recompute_and_compare();
  for (const float odd : {std::numeric_limits<float>::quiet_NaN(), hidden, -0.0F, 1.0F}) {
    for (Tensor* tensor : {&problem.weights.v_proj_weight, &problem.weights.q_proj_weight}) {
      *tensor = tensor->clone();
      tensor->set({4, 2}, odd);
      problem.recompute_and_compare();
    }
  }
}

TEST(Recompute, WhatDoesNotDependOnTheEditKeepsItsVersion) {
  Numbers numbers(3);
  Problem problem = made_up(all_sizes[2], numbers);
  problem.recompute_and_compare();
  const Trace before = problem.trace;
  std::array<std::uint64_t, tensor_count> versions{};
  for (const TensorId id : before.present())
    versions[static_cast<std::size_t>(id)] = before[id].storage_version();
  const auto same = [&](TensorId id) {
    return problem.trace[id].storage_version() == versions[static_cast<std::size_t>(id)];
  };
  problem.trace = before;  // `before` reads the numbers, too: what is computed must not touch them
  problem.weights.out_proj_bias = edited(problem.weights.out_proj_bias, numbers);
  const std::vector<float> output = before[TensorId::output].values();
  problem.recompute_and_compare();
  EXPECT_EQ(before[TensorId::output].values(), output);

  // Without another reader.
  Problem alone = made_up(all_sizes[2], numbers);
  alone.recompute_and_compare();
  for (const TensorId id : alone.trace.present())
    versions[static_cast<std::size_t>(id)] = alone.trace[id].storage_version();
  alone.weights.v_proj_weight = edited(alone.weights.v_proj_weight, numbers);
  // The same numbers elsewhere are no change.
  alone.weights.k_proj_weight = alone.weights.k_proj_weight.clone();
  alone.recompute_and_compare();
  std::swap(problem, alone);
  for (const TensorId id : {TensorId::q, TensorId::k, TensorId::k_heads, TensorId::k_proj_weight,
                            TensorId::query_input, TensorId::q_proj_weight}) {
    EXPECT_TRUE(same(id)) << name_of(id);
  }
  for (const TensorId id : {TensorId::v, TensorId::v_heads, TensorId::v_proj_weight,
                            TensorId::head_outputs, TensorId::merged, TensorId::output}) {
    EXPECT_FALSE(same(id)) << name_of(id);
  }
}

TEST(Recompute, NothingChangedIsNothingComputed) {
  Numbers numbers(4);
  Problem problem = made_up(all_sizes[0], numbers);
  problem.recompute_and_compare();
  std::vector<std::uint64_t> versions;
  for (const TensorId id : problem.trace.present())
    versions.push_back(problem.trace[id].storage_version());
  problem.recompute_and_compare();
  std::size_t i = 0;
  for (const TensorId id : problem.trace.present())
    EXPECT_EQ(problem.trace[id].storage_version(), versions[i++]) << name_of(id);
}

TEST(Recompute, WhatSomebodyWroteIntoTheTraceIsComputedAnew) {
  Numbers numbers(5);
  Problem problem = made_up(all_sizes[0], numbers);
  problem.recompute_and_compare();
  Tensor scores = problem.trace[TensorId::scores];
  scores.set({0, 0, 0, 0}, 7.0F);
  problem.recompute_and_compare();
}

TEST(InPlace, UsesItsMemoryAgain) {
  Numbers numbers(6);
  for (const Sizes& sizes : all_sizes) {
    Problem problem = made_up(sizes, numbers);
    const auto& [inputs, weights, options, trace] = problem;
    ASSERT_TRUE(multi_head_attention(inputs, weights, options, problem.trace));
    std::vector<const float*> places;
    for (const TensorId id : trace.present()) places.push_back(trace[id].data());
    problem.inputs.query.set({0, 0, 0}, 3.0F);
    ASSERT_TRUE(multi_head_attention(inputs, weights, options, problem.trace));
    expect_same_trace(trace, *problem.afresh());
    std::size_t i = 0;
    for (const TensorId id : trace.present()) EXPECT_EQ(trace[id].data(), places[i++]);
  }
}

TEST(InPlace, ForOtherSizesToo) {
  Numbers numbers(7);
  Trace trace;
  for (const Sizes& sizes : all_sizes) {
    Problem problem = made_up(sizes, numbers);
    ASSERT_TRUE(multi_head_attention(problem.inputs, problem.weights, problem.options, trace));
    expect_same_trace(trace, *problem.afresh());
  }
}

TEST(InPlace, OfWhatOthersReadNothingIsWritten) {
  Numbers numbers(8);
  Problem problem = made_up(all_sizes[1], numbers);
  problem.recompute_and_compare();
  const Trace copy = problem.trace;
  const std::vector<float> weights = copy[TensorId::attention_weights].values();
  const Tensor elsewhere = edited(problem.inputs.query, numbers);
  problem.inputs.query = problem.inputs.key = problem.inputs.value = elsewhere;
  ASSERT_TRUE(
      multi_head_attention(problem.inputs, problem.weights, problem.options, problem.trace));
  EXPECT_EQ(copy[TensorId::attention_weights].values(), weights);
  expect_same_trace(problem.trace, *problem.afresh());
}

TEST(InPlace, AnErrorLeavesTheTrace) {
  Numbers numbers(9);
  Problem problem = made_up(all_sizes[0], numbers);
  problem.recompute_and_compare();
  const std::vector<float> output = problem.trace[TensorId::output].values();
  Options wrong = problem.options;
  wrong.num_heads = 4;
  EXPECT_FALSE(recompute(problem.inputs, problem.weights, wrong, problem.trace));
  EXPECT_FALSE(multi_head_attention(problem.inputs, problem.weights, wrong, problem.trace));
  EXPECT_EQ(problem.trace[TensorId::output].values(), output);
}

TEST(AttentionOutput, IsTheLastTensorOfTheTrace) {
  Numbers numbers(10);
  for (const Sizes& sizes : all_sizes) {
    Problem problem = made_up(sizes, numbers);
    for (const Tensor& mask : {Tensor(), look_ahead_mask(sizes.query_len, sizes.key_len)}) {
      problem.inputs.mask = mask;
      const Result<Tensor> output =
          attention_output(problem.inputs, problem.weights, problem.options);
      ASSERT_TRUE(output);
      test::expect_same(*output, (*problem.afresh())[TensorId::output], "output");
    }
  }
}

TEST(AttentionOutput, IsThatOfTheTraceWhereAHiddenScoreShows) {
  constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  Numbers numbers(12);
  for (const Sizes& sizes : all_sizes) {
    for (const float odd : {nan_value, infinity, 1e30F, -3e38F}) {
      Problem problem = made_up(sizes, numbers);
      problem.inputs.mask = look_ahead_mask(sizes.query_len, sizes.key_len);
      Tensor key = problem.inputs.key.clone();
      key.mutable_data()[key.size() - 1] =
          odd;  // of the last one, which the first queries do not see
      problem.inputs.key = key;
      const Result<Tensor> output =
          attention_output(problem.inputs, problem.weights, problem.options);
      ASSERT_TRUE(output);
      test::expect_same(*output, (*problem.afresh())[TensorId::output], "output");
    }
  }
}

TEST(AttentionOutput, NamesWhatItCannotDo) {
  Numbers numbers(11);
  Problem problem = made_up(all_sizes[0], numbers);
  problem.options.interventions.ablated_heads = {0};
  const auto refused = attention_output(problem.inputs, problem.weights, problem.options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "Interventions show in a trace only; the output alone is computed without them.");
  problem.options.interventions = {};
  problem.options.num_heads = 5;
  EXPECT_FALSE(attention_output(problem.inputs, problem.weights, problem.options));
}

}  // namespace
}  // namespace attention
