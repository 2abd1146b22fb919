#include <array>
#include <limits>
#include <utility>

#include <gtest/gtest.h>

#include "attention/given_tensors.hpp"
#include "attention/helpers.hpp"
#include "attention/mask.hpp"
#include "attention/problems.hpp"
#include "attention/same.hpp"

namespace attention {
namespace {

using test::all_sizes;
using test::expect_same_trace;
using test::Numbers;
using test::Sizes;

/// One attention and what was computed from it.
struct Traced : test::Problem {
  Trace trace;

  void recompute_and_compare() {
    const Result<void> done = recompute(inputs, weights, options, trace);
    ASSERT_TRUE(done) << done.error().message;
    Options slow = options;
    slow.step_by_step = true;
    const Result<Trace> whole = multi_head_attention(inputs, weights, slow);
    ASSERT_TRUE(whole);
    expect_same_trace(trace, *whole);
    EXPECT_EQ(trace.interventions, options.interventions);
  }
};

Traced traced(const Sizes& sizes, Numbers& numbers) { return {test::made_up(sizes, numbers), {}}; }

/// Another tensor with one number, or a few, changed.
Tensor edited(const Tensor& tensor, Numbers& numbers) {
  Tensor copy = tensor.clone();
  for (std::size_t cells = 1 + numbers.below(3); cells > 0; --cells)
    copy.set(numbers.index(copy.shape()), numbers.next());
  return copy;
}

/// One row more, one less, or another one.
void give_weights(std::vector<GivenWeights>& given, const Sizes& sizes, Numbers& numbers) {
  if (given.size() > 2 || (!given.empty() && numbers.below(3) == 0)) {
    given.erase(given.begin());
    return;
  }
  GivenWeights row{numbers.below(sizes.batch), numbers.below(sizes.heads),
                   numbers.below(sizes.query_len), std::vector<float>(sizes.key_len)};
  for (float& weight : row.weights) weight = numbers.next();
  given.push_back(std::move(row));
}

/// Does one of the things that happen to an attention.
void edit(Traced& problem, const Sizes& sizes, Numbers& numbers) {
  const std::size_t what = numbers.below(19);
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
  } else if (what == 15) {
    auto& ablated = problem.options.interventions.ablated_heads;
    if (ablated.empty()) {
      ablated.push_back(numbers.below(sizes.heads));
    } else {
      ablated.clear();
    }
  } else if (what < 18) {
    give_weights(problem.options.interventions.given_weights, sizes, numbers);
  } else {
    Mistake& mistake = problem.options.interventions.mistake;
    mistake = mistake == Mistake::none ? Mistake::no_scale : Mistake::none;
  }
}

TEST(Recompute, RandomEditsGiveWhatComputingEverythingGives) {
  Numbers numbers(1);
  for (const Sizes& sizes : all_sizes) {
    Traced problem = traced(sizes, numbers);
    problem.recompute_and_compare();
    for (int round = 0; round < 80 && !::testing::Test::HasFatalFailure(); ++round) {
      edit(problem, sizes, numbers);
      problem.recompute_and_compare();
    }
  }
}

TEST(Recompute, OddNumbersToo) {
  Numbers numbers(2);
  const Sizes& sizes = all_sizes[1];
  Traced problem = traced(sizes, numbers);
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
  Traced problem = traced(all_sizes[2], numbers);
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
  Traced alone = traced(all_sizes[2], numbers);
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

TEST(Recompute, AGivenRowChangesItsQueryAlone) {
  Numbers numbers(10);
  Traced problem = traced(all_sizes[1], numbers);
  problem.inputs.mask = look_ahead_mask(9, 9);
  problem.recompute_and_compare();
  const float* weights = problem.trace[TensorId::attention_weights].data();
  const std::uint64_t values = problem.trace[TensorId::v].storage_version();
  const auto row = [&](std::size_t query) {
    std::vector<float> cells;
    for (std::size_t e = 0; e < problem.trace.config.embed_dim; ++e)
      cells.push_back(problem.trace[TensorId::merged].at({1, query, e}));
    return cells;
  };
  const std::vector<float> third = row(2);
  const std::vector<float> fourth = row(3);
  // On a hidden key, too: weights are as they are given.
  problem.options.interventions.given_weights = {{1, 2, 3, std::vector<float>(9, 0.5F)}};
  problem.recompute_and_compare();
  EXPECT_EQ(problem.trace[TensorId::attention_weights].data(), weights);  // nothing was made anew
  EXPECT_EQ(problem.trace[TensorId::v].storage_version(), values);
  EXPECT_EQ(row(2), third);
  EXPECT_NE(row(3), fourth);
  problem.options.interventions = {};
  problem.recompute_and_compare();
  EXPECT_EQ(row(3), fourth);
}

TEST(Recompute, ASwitchedHeadLeavesItsWeights) {
  Numbers numbers(12);
  Traced problem = traced(all_sizes[1], numbers);
  problem.inputs.mask = look_ahead_mask(9, 9);
  problem.options.interventions.given_weights = {{0, 1, 2, std::vector<float>(9, 0.25F)}};
  problem.recompute_and_compare();
  const std::uint64_t weights = problem.trace[TensorId::attention_weights].storage_version();
  const std::uint64_t outputs = problem.trace[TensorId::head_outputs].storage_version();
  for (const bool on : {false, true}) {
    problem.options.interventions.ablated_heads =
        on ? std::vector<std::size_t>{} : std::vector<std::size_t>{1};
    problem.recompute_and_compare();
    EXPECT_EQ(problem.trace[TensorId::attention_weights].storage_version(), weights);
    EXPECT_NE(problem.trace[TensorId::head_outputs].storage_version(), outputs);
  }
}

TEST(Recompute, GivenWeightsAreComparedByTheirBits) {
  Numbers numbers(13);
  Traced problem = traced(all_sizes[0], numbers);
  std::vector<float> row(3, 0.5F);
  for (const float zero : {0.0F, -0.0F, 0.0F}) {
    row[1] = zero;
    problem.options.interventions.given_weights = {{0, 0, 1, row}};
    problem.recompute_and_compare();
  }
}

TEST(Recompute, NothingChangedIsNothingComputed) {
  Numbers numbers(4);
  Traced problem = traced(all_sizes[0], numbers);
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
  Traced problem = traced(all_sizes[0], numbers);
  problem.recompute_and_compare();
  Tensor scores = problem.trace[TensorId::scores];
  scores.set({0, 0, 0, 0}, 7.0F);
  problem.recompute_and_compare();
}

TEST(Recompute, UsesItsMemoryAgain) {
  Numbers numbers(6);
  for (const Sizes& sizes : all_sizes) {
    Traced problem = traced(sizes, numbers);
    const Trace& trace = problem.trace;
    problem.recompute_and_compare();
    std::vector<const float*> places;
    for (const TensorId id : trace.present()) places.push_back(trace[id].data());
    problem.inputs.query.set({0, 0, 0}, 3.0F);  // what was there is lost: everything is computed
    problem.recompute_and_compare();
    std::size_t i = 0;
    for (const TensorId id : trace.present()) EXPECT_EQ(trace[id].data(), places[i++]);
  }
}

TEST(Recompute, ForOtherSizesToo) {
  Numbers numbers(7);
  Trace trace;
  for (const Sizes& sizes : all_sizes) {
    Traced problem = traced(sizes, numbers);
    ASSERT_TRUE(recompute(problem.inputs, problem.weights, problem.options, trace));
    expect_same_trace(trace, *problem.afresh());
  }
}

TEST(Recompute, OfWhatOthersReadNothingIsWritten) {
  Numbers numbers(8);
  Traced problem = traced(all_sizes[1], numbers);
  problem.recompute_and_compare();
  const Trace copy = problem.trace;
  const std::vector<float> weights = copy[TensorId::attention_weights].values();
  const Tensor elsewhere = edited(problem.inputs.query, numbers);
  problem.inputs.query = problem.inputs.key = problem.inputs.value = elsewhere;
  ASSERT_TRUE(recompute(problem.inputs, problem.weights, problem.options, problem.trace));
  EXPECT_EQ(copy[TensorId::attention_weights].values(), weights);
  expect_same_trace(problem.trace, *problem.afresh());
}

// What is on the screen reads all of it, and would be sent there anew.
TEST(Recompute, OfWhatOthersReadOnlyWhatChangesIsMadeAnew) {
  Numbers numbers(11);
  Traced problem = traced(all_sizes[1], numbers);
  problem.recompute_and_compare();
  const auto kept = [&](void (*edit)(Weights&, Numbers&)) {
    const Trace before = problem.trace;
    edit(problem.weights, numbers);
    problem.recompute_and_compare();
    std::vector<TensorId> same;
    for (const TensorId id : before.present()) {
      if (!is_given(id) && problem.trace[id].storage_version() == before[id].storage_version())
        same.push_back(id);
    }
    return same;
  };
  using enum TensorId;
  EXPECT_EQ(kept([](Weights& weights, Numbers& random) {
              weights.q_proj_weight = edited(weights.q_proj_weight, random);
            }),
            (std::vector{k, v, k_split, v_split, k_heads, v_heads}));
  EXPECT_EQ(kept([](Weights& weights, Numbers& random) {
              weights.v_proj_weight = edited(weights.v_proj_weight, random);
            }),
            (std::vector{q, k, q_split, k_split, q_heads, k_heads, scores, scaled_scores,
                         masked_scores, attention_weights}));
  EXPECT_EQ(kept([](Weights& weights, Numbers& random) {
              weights.out_proj_weight = edited(weights.out_proj_weight, random);
            }),
            (std::vector{q, k, v, q_split, k_split, v_split, q_heads, k_heads, v_heads, scores,
                         scaled_scores, masked_scores, attention_weights, head_outputs,
                         merged_split, merged}));
}

TEST(Recompute, AnErrorLeavesTheTrace) {
  Numbers numbers(9);
  Traced problem = traced(all_sizes[0], numbers);
  problem.recompute_and_compare();
  const std::vector<float> output = problem.trace[TensorId::output].values();
  Options wrong = problem.options;
  wrong.num_heads = 4;
  EXPECT_FALSE(recompute(problem.inputs, problem.weights, wrong, problem.trace));
  EXPECT_EQ(problem.trace[TensorId::output].values(), output);
}

}  // namespace
}  // namespace attention
