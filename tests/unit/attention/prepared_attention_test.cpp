#include "attention/prepared_attention.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "attention/allocations.hpp"
#include "attention/helpers.hpp"
#include "attention/mask.hpp"
#include "attention/problems.hpp"
#include "attention/same.hpp"
#include "special_floats.hpp"

namespace attention {
namespace {

using test::all_sizes;
using test::made_up;
using test::Numbers;
using test::Problem;
using test::Sizes;
using Keep = PreparedAttention::Keep;

Result<PreparedAttention> prepare(const Problem& problem, Keep keep) {
  return PreparedAttention::prepare(problem.inputs, problem.weights, problem.options, keep);
}

/// What is kept of a run has the numbers of a trace that was made afresh.
void expect_as_afresh(const PreparedAttention& prepared, const Problem& problem, Keep keep) {
  const Result<Trace> whole = problem.afresh();
  ASSERT_TRUE(whole);
  if (keep == Keep::trace) test::expect_same_trace(prepared.trace(), *whole);
  for (const TensorId id : prepared.trace().present()) {
    test::expect_same(prepared.trace()[id], (*whole)[id], std::string(name_of(id)));
  }
  test::expect_same(prepared.output(), (*whole)[TensorId::output], "output");
}

TEST(PreparedAttention, ComputesWhatAnAttentionDoes) {
  Numbers numbers(10);
  for (const Sizes& sizes : all_sizes) {
    Problem problem = made_up(sizes, numbers);
    for (const Tensor& mask : {Tensor(), look_ahead_mask(sizes.query_len, sizes.key_len)}) {
      problem.inputs.mask = mask;
      for (const Keep keep : {Keep::trace, Keep::output}) {
        Result<PreparedAttention> prepared = prepare(problem, keep);
        ASSERT_TRUE(prepared);
        prepared->run();
        expect_as_afresh(*prepared, problem, keep);
      }
    }
  }
}

TEST(PreparedAttention, TheOutputIsThatOfTheTraceWhereAHiddenScoreShows) {
  constexpr float nan_value = std::numeric_limits<float>::quiet_NaN();
  Numbers numbers(12);
  for (const Sizes& sizes : all_sizes) {
    for (const float odd : {nan_value, infinity, 1e30F, -3e38F}) {
      Problem problem = made_up(sizes, numbers);
      problem.inputs.mask = look_ahead_mask(sizes.query_len, sizes.key_len);
      Tensor key = problem.inputs.key.clone();
      // Of the last one, which the first queries do not see.
      key.mutable_data()[key.size() - 1] = odd;
      problem.inputs.key = key;
      Result<PreparedAttention> prepared = prepare(problem, Keep::output);
      ASSERT_TRUE(prepared);
      prepared->run();
      expect_as_afresh(*prepared, problem, Keep::output);
    }
  }
}

TEST(PreparedAttention, ReadsTheNumbersAsTheyAreAndAllocatesNothing) {
  Numbers numbers(13);
  for (const Sizes& sizes : all_sizes) {
    for (const Keep keep : {Keep::trace, Keep::output}) {
      Problem problem = made_up(sizes, numbers);
      problem.inputs.mask = look_ahead_mask(sizes.query_len, sizes.key_len);
      Result<PreparedAttention> prepared = prepare(problem, keep);
      ASSERT_TRUE(prepared);
      prepared->run();
      const std::uint64_t version = prepared->output().storage_version();

      problem.inputs.query.set({0, 0, 0}, 3.0F);
      const std::size_t before = test::allocations();
      prepared->run();
      EXPECT_EQ(test::allocations(), before);
      EXPECT_NE(prepared->output().storage_version(), version) << "who shows it must see";
      expect_as_afresh(*prepared, problem, keep);

      if (!sizes.projections) continue;
      problem.weights.k_proj_weight.set({1, 1}, -2.0F);
      prepared->run();
      expect_as_afresh(*prepared, problem, keep);
    }
  }
}

TEST(PreparedAttention, KeepsNoScoresForTheOutputAlone) {
  Numbers numbers(14);
  const Result<PreparedAttention> prepared = prepare(made_up(all_sizes[0], numbers), Keep::output);
  ASSERT_TRUE(prepared);
  for (const TensorId id : {TensorId::scores, TensorId::scaled_scores, TensorId::masked_scores,
                            TensorId::attention_weights}) {
    EXPECT_FALSE(prepared->trace().has(id)) << name_of(id);
  }
}

TEST(PreparedAttention, ItsTraceIsNoneThatRecomputeWouldTakeForUnchanged) {
  Numbers numbers(15);
  const Problem problem = made_up(all_sizes[0], numbers);
  for (const Keep keep : {Keep::trace, Keep::output}) {
    Result<PreparedAttention> prepared = prepare(problem, keep);
    ASSERT_TRUE(prepared);
    prepared->run();
    Trace trace = prepared->trace();
    ASSERT_TRUE(recompute(problem.inputs, problem.weights, problem.options, trace));
    test::expect_same_trace(trace, *problem.afresh());
  }
}

TEST(PreparedAttention, NamesWhatItCannotDo) {
  Numbers numbers(11);
  Problem problem = made_up(all_sizes[0], numbers);
  problem.options.interventions.ablated_heads = {0};
  const auto refused = prepare(problem, Keep::trace);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "A prepared attention has no interventions; multi_head_attention computes with them.");
  problem.options.interventions = {};
  problem.options.num_heads = 5;
  EXPECT_FALSE(prepare(problem, Keep::output));
}

}  // namespace
}  // namespace attention
