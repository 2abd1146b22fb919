#include "model/attention/attention_part.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "model/attention/mask.hpp"
#include "model/reference.hpp"

namespace model {
namespace {

TEST(Mistakes, OnlyKeysThatAreNotTransposedMayNotFit) {
  for (const std::string_view name : mistake_names) {
    const Options options = with_mistake(2, *mistake_named(name));
    EXPECT_EQ(check(self_inputs(Tensor({1, 5, 6})), options).has_value(),
              name != "keys-not-transposed");
    EXPECT_TRUE(check(self_inputs(Tensor({1, 3, 6})), options)) << "as many keys as D";
  }
}

TEST(Mistakes, WithoutTheTransposeTheNumbersStayInTheOrderInWhichTheyLie) {
  const Tensor x = counting({1, 3, 4});  // three tokens, two heads
  const Trace trace = computed(self_inputs(x), with_mistake(2, Mistake::no_transpose));
  const Tensor& heads = trace["q_heads"];
  EXPECT_TRUE(heads.shares_storage_with(x));
  expect_values(heads, x.values());
  // Head 0 holds all of token 0 and half of token 1, where it should hold 1 2 5 6 9 10.
  expect_values(heads.select(0, 0).select(0, 0), {1, 2, 3, 4, 5, 6});
  EXPECT_EQ(describe(trace["merged_split"].shape()), "[1,3,2,2]");
  EXPECT_TRUE(trace["merged_split"].shares_storage_with(trace["head_outputs"]));
  // A split that is not contiguous is copied.
  const Tensor spread = counting({3, 1, 4}).transpose(0, 1);
  const Trace copied = computed(self_inputs(spread), with_mistake(2, Mistake::no_transpose));
  expect_values(copied["q_heads"], spread.values());
}

TEST(Mistakes, AreRowsThatAreOthers) {
  Config config;
  for (const std::string_view name : mistake_names) {
    const Mistake mistake = *mistake_named(name);
    const std::vector<Node> rows = rows_of(config, mistake);
    EXPECT_EQ(rows == rows_of(config, Mistake::none), mistake == Mistake::none) << name;
    for (const Node& row : rows) EXPECT_EQ(row.axes, axes_of(row.id)) << name_of(row.id);
  }
}

// What each mistake does to a whole attention; the numbers themselves are held against PyTorch's
// operations in pytorch_test.cpp.

TEST(Mistakes, RowSumsTellThemApart) {
  Numbers numbers(1);
  const Tensor x = numbers.tensor({2, 4, 6});
  const Tensors given =
      self_inputs(x, look_ahead_mask(4, 4), random_weights(numbers, 6, 6, 6, true));
  for (const std::string_view name : mistake_names) {
    const Mistake mistake = *mistake_named(name);
    if (mistake == Mistake::keys_not_transposed) continue;  // 4 keys, head_dim 3
    const Tensor row = computed(given, with_mistake(2, mistake))["attention_weights"];
    const auto sum = [&](std::size_t query) {
      double total = 0.0;
      for (std::size_t key = 0; key < 4; ++key)
        total += static_cast<double>(row.at({1, 1, query, key}));
      return total;
    };
    const bool sums_to_one = mistake != Mistake::softmax_over_queries &&
                             mistake != Mistake::mask_after_softmax &&
                             mistake != Mistake::no_softmax;
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
  for (const std::string_view name : mistake_names) {
    const Mistake mistake = *mistake_named(name);
    const Trace trace = computed(self_inputs(x, mask), with_mistake(2, mistake));
    const bool hides = mistake != Mistake::mask_with_zero;
    EXPECT_EQ(trace.fully_masked(0, 1, 1), hides) << name;
    EXPECT_FALSE(trace.fully_masked(0, 1, 0)) << name;
    for (std::size_t key = 0; key < 3; ++key) {
      EXPECT_EQ(trace["attention_weights"].at({0, 1, 1, key}), hides ? 0.0F : 1.0F / 3.0F) << name;
    }
    for (std::size_t d = 0; d < 3; ++d) {
      EXPECT_EQ(trace["head_outputs"].at({0, 1, 1, d}) == 0.0F, hides) << name;
    }
  }
}

TEST(Mistakes, NoMaskNoMistakeInMasking) {
  Numbers numbers(3);
  const Tensor x = numbers.tensor({1, 3, 6});
  const Trace right = computed(self_inputs(x), with_mistake(2, Mistake::none));
  for (const Mistake mistake : {Mistake::mask_after_softmax, Mistake::mask_with_zero}) {
    expect_values(computed(self_inputs(x), with_mistake(2, mistake))["output"],
                  right["output"].values());
  }
}

TEST(Mistakes, GivenWeightsStayAsGivenUnderAnyMistake) {
  Numbers numbers(4);
  const Tensor x = numbers.tensor({1, 3, 6});
  for (const std::string_view name : mistake_names) {
    const Trace trace =
        computed(self_inputs(x, look_ahead_mask(3, 3)),
                 {2, {}, {{{0, 1, 0, {0.2F, 0.3F, 0.4F}}}, {}, *mistake_named(name)}});
    expect_values(trace["attention_weights"].select(0, 0).select(0, 1).select(0, 0),
                  {0.2F, 0.3F, 0.4F});
  }
}

TEST(Mistakes, AnAblatedHeadPutsOutZerosAndTheOthersWhatTheyDid) {
  Numbers numbers(5);
  const Tensor x = numbers.tensor({2, 4, 6});
  const Tensors weights = random_weights(numbers, 6, 6, 6, true);
  const Trace all = computed(self_inputs(x, {}, weights), {2, {}, {}});
  const Trace trace =
      computed(self_inputs(x, {}, weights), {2, {}, {{{0, 1, 0, {0.2F, 0.3F, 0.4F, 0}}}, {1}, {}}});
  const std::vector<float> zeros(std::size_t{2} * 4 * 3, 0.0F);
  expect_values(trace["head_outputs"].select(1, 1), zeros);
  expect_values(trace["head_outputs"].select(1, 0), all["head_outputs"].select(1, 0).values());
  // The output is what the other head makes of it.
  Tensor merged = all["merged"].clone();
  for (std::size_t b = 0; b < 2; ++b) {
    for (std::size_t i = 0; i < 4; ++i) {
      for (std::size_t e = 3; e < 6; ++e) merged.set({b, i, e}, 0.0F);
    }
  }
  expect_close(
      trace["output"],
      linear_reference(Array(merged), weights["out_proj_weight"], weights["out_proj_bias"]), 1e-6,
      "output");
}

}  // namespace
}  // namespace model
