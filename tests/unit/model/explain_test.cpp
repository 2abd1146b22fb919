#include "model/trace.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "model/attention/mask.hpp"
#include "model/problems.hpp"

namespace model {
namespace {

TEST(Explain, AScoreIsTheDotProductOfARowOfQAndARowOfK) {
  Numbers numbers(2);
  const Tensor x = numbers.tensor({2, 4, 6});
  const Trace trace =
      computed(self_inputs(x, {}, random_weights(numbers, 6, 6, 6, true)), {2, {}, {}});
  const Explanation made = explain(trace, TensorId("scores"), {1, 0, 2, 3});
  EXPECT_EQ(made.rule, Rule::dot_product);
  ASSERT_EQ(made.terms.size(), 3U);
  EXPECT_FALSE(made.bias.has_value());
  for (std::size_t d = 0; d < 3; ++d) {
    EXPECT_EQ(made.terms[d].a.tensor, TensorId("q_heads"));
    EXPECT_EQ(made.terms[d].a.index, (Index{1, 0, 2, d}));
    EXPECT_EQ(made.terms[d].b.tensor, TensorId("k_heads"));
    EXPECT_EQ(made.terms[d].b.index, (Index{1, 0, 3, d}));
  }
}

TEST(Explain, AProjectedNumberIsARowTimesARowOfTheWeight) {
  Numbers numbers(3);
  const Tensor x = numbers.tensor({1, 4, 6});
  const Trace trace =
      computed(self_inputs(x, {}, random_weights(numbers, 6, 6, 6, true)), {2, {}, {}});
  for (const auto& [made, from, weight, bias] :
       {std::tuple{TensorId("k"), TensorId("key_input"), TensorId("k_proj_weight"),
                   TensorId("k_proj_bias")},
        std::tuple{TensorId("output"), TensorId("merged"), TensorId("out_proj_weight"),
                   TensorId("out_proj_bias")}}) {
    const Explanation why = explain(trace, made, {0, 2, 5});
    ASSERT_EQ(why.terms.size(), 6U);
    EXPECT_EQ(why.terms[4].a.tensor, from);
    EXPECT_EQ(why.terms[4].a.index, (Index{0, 2, 4}));
    EXPECT_EQ(why.terms[4].b.tensor, weight);
    EXPECT_EQ(why.terms[4].b.index, (Index{5, 4}));
    ASSERT_TRUE(why.bias.has_value());
    EXPECT_EQ(why.bias->tensor, bias);
    EXPECT_EQ(why.bias->index, (Index{5}));
  }
}

TEST(Explain, ASplitNumberIsTheSameNumber) {
  Numbers numbers(4);
  const Tensor x = numbers.tensor({2, 4, 6});
  const Trace trace =
      computed(self_inputs(x, {}, random_weights(numbers, 6, 6, 6, true)), {2, {}, {}});
  const Explanation made = explain(trace, TensorId("q_heads"), {1, 1, 3, 2});
  EXPECT_EQ(made.rule, Rule::same_number);
  ASSERT_EQ(made.terms.size(), 1U);
  EXPECT_EQ(made.terms[0].a.tensor, TensorId("q"));
  EXPECT_EQ(made.terms[0].a.index, (Index{1, 3, 1 * 3 + 2}));
  const Explanation merged = explain(trace, TensorId("merged"), {1, 3, 5});
  EXPECT_EQ(merged.rule, Rule::copied);
  EXPECT_EQ(merged.terms[0].a.tensor, TensorId("merged_split"));
  EXPECT_EQ(merged.terms[0].a.index, (Index{1, 3, 1, 2}));
  const Explanation key = explain(trace, TensorId("key_input"), {0, 2, 1});
  EXPECT_EQ(key.terms[0].a.tensor, TensorId("query_input"));
  EXPECT_EQ(key.terms[0].a.index, (Index{0, 2, 1}));
}

TEST(Explain, AWeightIsItsShareOfTheRow) {
  Numbers numbers(5);
  const Tensor x = numbers.tensor({1, 4, 6});
  const Trace trace = computed(self_inputs(x, look_ahead_mask(4, 4)), {2, {}, {}});
  const Explanation made = explain(trace, TensorId("attention_weights"), {0, 1, 2, 1});
  EXPECT_EQ(made.rule, Rule::softmax);
  ASSERT_EQ(made.terms.size(), 4U);
  EXPECT_EQ(made.selected, 1U);
  double largest = -HUGE_VAL;
  double sum = 0.0;
  for (std::size_t key = 0; key < 4; ++key) {
    EXPECT_EQ(made.terms[key].a.tensor, TensorId("masked_scores"));
    EXPECT_EQ(made.terms[key].a.index, (Index{0, 1, 2, key}));
    largest = std::fmax(largest, static_cast<double>(made.terms[key].a.value));
    sum += made.terms[key].value;
  }
  EXPECT_EQ(made.maximum, largest);
  EXPECT_EQ(made.denominator, sum);
  EXPECT_EQ(made.terms[3].value, 0.0) << "a later key";
}

TEST(Explain, FullyMaskedIsZeroByDefinition) {
  Numbers numbers(6);
  const Tensor x = numbers.tensor({1, 3, 4});
  Tensor mask({3, 3});
  for (std::size_t key = 0; key < 3; ++key) mask.set({1, key}, hidden);
  const Trace trace = computed(self_inputs(x, mask), {2, {}, {}});
  for (const TensorId id : {TensorId("attention_weights"), TensorId("head_outputs")}) {
    const Explanation made = explain(trace, id, {0, 1, 1, 1});
    EXPECT_EQ(made.rule, Rule::fully_masked) << name_of(id);
    EXPECT_EQ(made.result, 0.0);
    EXPECT_EQ(made.terms.size(), 3U);
    EXPECT_NE(explain(trace, id, {0, 1, 2, 1}).rule, Rule::fully_masked);
  }
}

TEST(Explain, FullyMaskedByNanScoresToo) {
  const Tensor query({1, 1, 1}, {std::numeric_limits<float>::quiet_NaN()});
  const Tensor key({1, 2, 1}, {1, 2});
  const Trace trace =
      computed(inputs_of(query, key, key, Tensor::full({1, 2}, hidden)), {1, {}, {}});
  const Explanation made = explain(trace, TensorId("attention_weights"), {0, 0, 0, 1});
  EXPECT_EQ(made.rule, Rule::fully_masked);
  EXPECT_EQ(made.result, 0.0);
}

TEST(Explain, NanIsNotHidden) {
  const Tensor query({1, 1, 1}, {1});
  const Tensor key({1, 2, 1}, {1, std::numeric_limits<float>::quiet_NaN()});
  const Trace trace =
      computed(inputs_of(query, key, key, Tensor({1, 2}, {hidden, 0})), {1, {}, {}});
  const Explanation made = explain(trace, TensorId("attention_weights"), {0, 0, 0, 0});
  EXPECT_EQ(made.rule, Rule::softmax);
  EXPECT_TRUE(std::isnan(made.result));
  EXPECT_TRUE(std::isnan(made.cell.value));
}

TEST(Explain, AWeightGivenByHand) {
  Numbers numbers(7);
  const Tensor x = numbers.tensor({1, 3, 4});
  const Trace trace = computed(self_inputs(x, Tensor::full({1, 3}, hidden)),
                               {2, {}, {{{0, 1, 2, {0.5F, 0.25F, 0.2F}}}, {}, Mistake::none}});
  const Explanation made = explain(trace, TensorId("attention_weights"), {0, 1, 2, 1});
  EXPECT_EQ(made.rule, Rule::given_by_hand);
  EXPECT_EQ(made.result, 0.25);
  EXPECT_EQ(explain(trace, TensorId("head_outputs"), {0, 1, 2, 1}).rule, Rule::dot_product);
  EXPECT_EQ(explain(trace, TensorId("attention_weights"), {0, 0, 2, 1}).rule, Rule::fully_masked);
}

TEST(Explain, NamesWhatAMistakeDid) {
  Numbers numbers(11);
  const Tensor x = numbers.tensor({2, 3, 6});
  const auto made = [&](Mistake mistake, TensorId id, const Index& index) {
    const Trace trace =
        computed(self_inputs(x, look_ahead_mask(3, 3), random_weights(numbers, 6, 6, 6, true)),
                 {2, {}, {{}, {}, mistake}});
    return explain(trace, id, index);
  };
  // Head 1, token 2 of [H,L,D] = [2,3,3] is the 15th to 17th number of a sample: token 2, columns
  // 3 to 5. Head 0, token 1 is the 3rd to 5th: token 0, columns 3 to 5, which are head 1's.
  const Explanation wrong = made(Mistake::no_transpose, TensorId("q_heads"), {1, 0, 1, 2});
  EXPECT_EQ(wrong.rule, Rule::same_number);
  EXPECT_EQ(wrong.terms[0].a.tensor, TensorId("q"));
  EXPECT_EQ(wrong.terms[0].a.index, (Index{1, 0, 5}));
  const Explanation merged = made(Mistake::no_transpose, TensorId("merged"), {1, 0, 5});
  EXPECT_EQ(merged.terms[0].a.tensor, TensorId("head_outputs"));
  EXPECT_EQ(merged.terms[0].a.index, (Index{1, 0, 1, 2}));

  EXPECT_EQ(made(Mistake::no_scale, TensorId("scaled_scores"), {0, 0, 0, 0}).rule,
            Rule::same_number);

  const Explanation weight =
      made(Mistake::softmax_over_queries, TensorId("attention_weights"), {0, 1, 2, 1});
  EXPECT_EQ(weight.rule, Rule::softmax);
  EXPECT_EQ(weight.selected, 2U);
  ASSERT_EQ(weight.terms.size(), 3U);
  for (std::size_t query = 0; query < 3; ++query)
    EXPECT_EQ(weight.terms[query].a.index, (Index{0, 1, query, 1}));

  const Index hidden_cell{0, 1, 0, 2};
  EXPECT_EQ(made(Mistake::mask_after_softmax, TensorId("masked_scores"), hidden_cell).rule,
            Rule::same_number);
  const Explanation hidden_weight =
      made(Mistake::mask_after_softmax, TensorId("attention_weights"), hidden_cell);
  EXPECT_EQ(hidden_weight.rule, Rule::overwritten);
  EXPECT_EQ(hidden_weight.cell.value, 0.0F);
  const Explanation zero = made(Mistake::mask_with_zero, TensorId("masked_scores"), hidden_cell);
  EXPECT_EQ(zero.rule, Rule::overwritten);
  EXPECT_EQ(zero.cell.value, 0.0F);

  const Explanation score = made(Mistake::keys_not_transposed, TensorId("scores"), {0, 1, 2, 0});
  ASSERT_EQ(score.terms.size(), 3U);
  EXPECT_EQ(score.terms[1].a.index, (Index{0, 1, 2, 1}));
  EXPECT_EQ(score.terms[1].b.index, (Index{0, 1, 1, 0}));
}

TEST(Explain, AnAblatedHeadIsSaidToBeOne) {
  Numbers numbers(12);
  const Tensor x = numbers.tensor({1, 3, 4});
  const Trace trace = computed(self_inputs(x), {2, {}, {{}, {1}, Mistake::none}});
  const Explanation made = explain(trace, TensorId("head_outputs"), {0, 1, 2, 1});
  EXPECT_EQ(made.rule, Rule::ablated);
  EXPECT_EQ(made.result, 0.0);
  EXPECT_EQ(made.terms.size(), 3U);
  EXPECT_EQ(explain(trace, TensorId("head_outputs"), {0, 0, 2, 1}).rule, Rule::dot_product);
}

TEST(Explain, AnInputWithPositionEncoding) {
  Numbers numbers(8);
  const Tensor x = numbers.tensor({2, 3, 5});
  EXPECT_EQ(explain(computed(self_inputs(x), {1, {}, {}}), "query_input", {1, 2, 3}).rule,
            Rule::given);
  Tensors given = self_inputs(x);
  given["query_input"] = {};
  given["token_embedding"] = x;
  const Trace trace = computed(given, {1, {}, {}});
  const Explanation made = explain(trace, "query_input", {1, 2, 3});
  EXPECT_EQ(made.rule, Rule::sum);
  EXPECT_EQ(made.terms[0].a.index, (Index{1, 2, 3}));
  EXPECT_EQ(made.terms[1].a.index, (Index{2, 3}));
  EXPECT_EQ(explain(trace, "token_embedding", {1, 2, 3}).rule, Rule::given);
  const Explanation position = explain(trace, "position_encoding", {2, 3});
  EXPECT_EQ(position.rule, Rule::position);
  EXPECT_NEAR(position.divisor, std::pow(10000.0, 2.0 / 5.0), 1e-12);
  EXPECT_NEAR(position.result, std::cos(2.0 / position.divisor), 1e-15);
}

TEST(Explain, OutsideIsGivenNan) {
  Numbers numbers(9);
  const Tensor x = numbers.tensor({1, 3, 4});
  const Trace trace = computed(self_inputs(x), {2, {}, {}});
  for (const auto& [id, index] : {std::pair{TensorId("scores"), Index{0, 2, 0, 0}},
                                  {TensorId("scores"), Index{0, 0, 0}},
                                  {TensorId("mask"), Index{0, 0, 0, 0}},
                                  {TensorId("weighted_values"), Index{0, 0, 3, 0, 0}},
                                  {TensorId("weighted_values"), Index{0, 0, 0, 0}}}) {
    const Explanation made = explain(trace, id, index);
    EXPECT_EQ(made.rule, Rule::given);
    EXPECT_TRUE(std::isnan(made.cell.value));
    EXPECT_TRUE(std::isnan(made.result));
    EXPECT_TRUE(made.terms.empty());
  }
}

}  // namespace
}  // namespace model
