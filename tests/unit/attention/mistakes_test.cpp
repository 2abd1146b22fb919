#include "attention/mistakes.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "attention/helpers.hpp"
#include "attention/mask.hpp"
#include "attention/reference.hpp"

namespace attention {
namespace {

using test::Array;
using test::counting;
using test::expect_close;
using test::expect_values;
using test::Numbers;
using test::random_weights;

Trace compute(const Inputs& inputs, const Weights& weights, const Interventions& interventions) {
  Result<Trace> trace = multi_head_attention(inputs, weights, {2, {}, interventions});
  EXPECT_TRUE(trace.has_value()) << (trace ? "" : trace.error().message);
  return trace ? *std::move(trace) : Trace();
}

Trace compute(const Inputs& inputs, const Weights& weights, Mistake mistake) {
  return compute(inputs, weights, Interventions{{}, {}, mistake});
}

TEST(Mistakes, OnlyKeysThatAreNotTransposedMayNotFit) {
  Config config;
  config.query_len = 2;
  config.key_len = 5;
  config.embed_dim = 6;
  config.num_heads = 2;
  for (const std::string_view name : mistake_names()) {
    const Mistake mistake = *mistake_named(name);
    EXPECT_EQ(complaint_about(mistake, config).has_value(),
              mistake == Mistake::keys_not_transposed);
  }
  config.key_len = 3;
  EXPECT_FALSE(complaint_about(Mistake::keys_not_transposed, config).has_value());
}

TEST(Mistakes, WithoutTheTransposeTheNumbersStayInTheOrderInWhichTheyLie) {
  const Tensor split = counting({1, 3, 2, 2});  // three tokens, two heads
  const Tensor heads = heads_without_transpose(split);
  EXPECT_EQ(describe(heads.shape()), "[1,2,3,2]");
  EXPECT_TRUE(heads.shares_storage_with(split));
  expect_values(heads, split.values());
  // Head 0 holds all of token 0 and half of token 1, where it should hold 1 2 5 6 9 10.
  expect_values(heads.select(0, 0).select(0, 0), {1, 2, 3, 4, 5, 6});
  const Tensor merged = merged_without_transpose(heads);
  EXPECT_EQ(describe(merged.shape()), "[1,3,2,2]");
  EXPECT_TRUE(merged.shares_storage_with(split));
  // A split that is not contiguous is copied.
  const Tensor spread = counting({3, 1, 2, 2}).transpose(0, 1);
  expect_values(heads_without_transpose(spread), spread.values());
}

TEST(Mistakes, ColumnsSumToOneOverTheQueries) {
  Tensor scores({1, 1, 2, 3}, {0, 1, hidden, 0, 3, hidden});
  const Tensor weights = softmax_over_queries(scores);
  EXPECT_TRUE(weights.is_contiguous());
  Array expected({1, 1, 2, 3});
  expected.values = {0.5, 1 / (1 + std::exp(2.0)), 0, 0.5, 1 / (1 + std::exp(-2.0)), 0};
  expect_close(weights, expected, 1e-6, "columns");
}

TEST(Mistakes, AHiddenScoreBecomesZero) {
  const Tensor scores({1, 1, 2, 2}, {1, 2, 3, 4});
  const Tensor mask({1, 1, 2, 2}, {0, hidden, -0.5F, hidden});
  expect_values(mask_with_zero(scores, mask), {1, 0, 2.5F, 0});
}

TEST(Mistakes, AMaskThatOnlyHidesLeavesTheScoresAsTheyAre) {
  const Tensor scores({1, 1, 2, 2}, {1, 2, 3, 4});
  const Tensor hides({1, 1, 2, 2}, {0, hidden, 0, hidden});
  EXPECT_TRUE(without_hiding(scores, hides).shares_storage_with(scores));
  const Tensor adds({1, 1, 2, 2}, {0, hidden, -0.5F, hidden});
  expect_values(without_hiding(scores, adds), {1, 2, 2.5F, 4});
}

TEST(Mistakes, HiddenWeightsAreOverwrittenAndNothingElse) {
  Tensor weights({1, 1, 2, 2}, {0.25F, 0.75F, 0.5F, 0.5F});
  hide_weights(weights, Tensor({1, 1, 2, 2}, {0, hidden, -3, 0}));
  expect_values(weights, {0.25F, 0, 0.5F, 0.5F});
}

// What each mistake does to a whole attention; the numbers themselves are held against PyTorch's
// operations in pytorch_test.cpp.

TEST(Mistakes, RowSumsTellThemApart) {
  Numbers numbers(1);
  const Tensor x = numbers.tensor({2, 4, 6});
  const Inputs inputs{x, x, x, look_ahead_mask(4, 4)};
  const Weights weights = random_weights(numbers, 6, 6, 6, true);
  for (const std::string_view name : mistake_names()) {
    const Mistake mistake = *mistake_named(name);
    if (mistake == Mistake::keys_not_transposed) continue;  // 4 keys, head_dim 3
    const Tensor row = compute(inputs, weights, mistake)[TensorId::attention_weights];
    const auto sum = [&](std::size_t query) {
      double total = 0.0;
      for (std::size_t key = 0; key < 4; ++key)
        total += static_cast<double>(row.at({1, 1, query, key}));
      return total;
    };
    const bool sums_to_one =
        mistake != Mistake::softmax_over_queries && mistake != Mistake::mask_after_softmax;
    EXPECT_EQ(std::fabs(sum(0) - 1.0) < 1e-6, sums_to_one) << name;
    EXPECT_EQ(row.at({1, 1, 0, 3}) == 0.0F, mistake != Mistake::mask_with_zero) << name;
    if (mistake == Mistake::mask_after_softmax) {
      EXPECT_LT(sum(0), 0.99);
      EXPECT_NEAR(sum(3), 1.0, 1e-6) << "the last token sees all";
    }
  }
}

TEST(Mistakes, AQueryThatMaySeeNoKey) {
  Numbers numbers(2);
  const Tensor x = numbers.tensor({1, 3, 6});
  Tensor mask({3, 3});
  for (std::size_t key = 0; key < 3; ++key) mask.set({1, key}, hidden);
  for (const std::string_view name : mistake_names()) {
    const Mistake mistake = *mistake_named(name);
    const Trace trace = compute({x, x, x, mask}, {}, mistake);
    const bool hides = mistake != Mistake::mask_with_zero;
    EXPECT_EQ(trace.fully_masked(0, 1, 1), hides) << name;
    EXPECT_FALSE(trace.fully_masked(0, 1, 0)) << name;
    for (std::size_t key = 0; key < 3; ++key) {
      EXPECT_EQ(trace[TensorId::attention_weights].at({0, 1, 1, key}), hides ? 0.0F : 1.0F / 3.0F)
          << name;
    }
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_EQ(trace[TensorId::head_outputs].at({0, 1, 1, d}) == 0.0F, hides) << name;
    }
  }
}

TEST(Mistakes, NoMaskNoMistakeInMasking) {
  Numbers numbers(3);
  const Tensor x = numbers.tensor({1, 3, 6});
  const Trace right = compute({x, x, x, {}}, {}, Mistake::none);
  for (const Mistake mistake : {Mistake::mask_after_softmax, Mistake::mask_with_zero}) {
    expect_values(compute({x, x, x, {}}, {}, mistake)[TensorId::output],
                  right[TensorId::output].values());
  }
}

TEST(Mistakes, GivenWeightsStayAsGivenUnderAnyMistake) {
  Numbers numbers(4);
  const Tensor x = numbers.tensor({1, 3, 6});
  for (const std::string_view name : mistake_names()) {
    const Trace trace =
        compute({x, x, x, look_ahead_mask(3, 3)}, {},
                Interventions{{{0, 1, 0, {0.2F, 0.3F, 0.4F}}}, {}, *mistake_named(name)});
    expect_values(trace[TensorId::attention_weights].select(0, 0).select(0, 1).select(0, 0),
                  {0.2F, 0.3F, 0.4F});
  }
}

TEST(Mistakes, AnAblatedHeadPutsOutZerosAndTheOthersWhatTheyDid) {
  Numbers numbers(5);
  const Tensor x = numbers.tensor({2, 4, 6});
  const Weights weights = random_weights(numbers, 6, 6, 6, true);
  const Trace all = compute({x, x, x, {}}, weights, Interventions{});
  const Trace trace =
      compute({x, x, x, {}}, weights, Interventions{{{0, 1, 0, {0.2F, 0.3F, 0.4F, 0}}}, {1}, {}});
  const std::vector<float> zeros(std::size_t{2} * 4 * 3, 0.0F);
  expect_values(trace[TensorId::head_outputs].select(1, 1), zeros);
  expect_values(trace[TensorId::head_outputs].select(1, 0),
                all[TensorId::head_outputs].select(1, 0).values());
  // The output is what the other head makes of it.
  Tensor merged = all[TensorId::merged].clone();
  for (std::size_t b = 0; b < 2; ++b) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t e = 3; e < 6; ++e) merged.set({b, i, e}, 0.0F);
    }
  }
  expect_close(
      trace[TensorId::output],
      test::linear_reference(Array(merged), weights.out_proj_weight, weights.out_proj_bias), 1e-6,
      "output");
}

}  // namespace
}  // namespace attention
