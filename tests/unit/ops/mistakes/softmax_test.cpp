#include <cmath>
#include <limits>

#include "ops/uses.hpp"
#include "special_floats.hpp"

namespace ops {
namespace {

constexpr Axes weight_axes{B, H, Lq, Lk};

Use weight_use(const Tensor& scores) { return use_of(weight_axes, {{scores, weight_axes}}); }

Use weight_use(const Tensor& scores, const Tensor& mask) {
  return use_of(weight_axes, {{scores, weight_axes}, {mask, weight_axes}});
}

TEST(SoftmaxOverQueries, ColumnsSumToOne) {
  const Tensor scores({1, 1, 2, 3}, {0, 1, hidden, 0, 3, hidden});
  const Use use = weight_use(scores);
  const Tensor weights = made_by(softmax_over_queries, use);
  EXPECT_TRUE(weights.is_contiguous());
  Array expected({1, 1, 2, 3});
  expected.values = {0.5, 1 / (1 + std::exp(2.0)), 0, 0.5, 1 / (1 + std::exp(-2.0)), 0};
  expect_close(weights, expected, 1e-6, "columns");
  EXPECT_EQ(explained(softmax_over_queries, use, {0, 0, 1, 2}).rule, Rule::fully_masked)
      << "no query may see this key";
}

TEST(SoftmaxOverQueries, OfAQueryThatMaySeeNoKeyIsZeroWhateverTheScores) {
  // A score that is NaN spoils the weights of its key, but not those that are 0 by definition.
  const Tensor scores({1, 1, 2, 2}, {hidden, not_a_number, 1, 2});
  const Tensor mask({1, 1, 2, 2}, {hidden, hidden, 0, 0});
  const Tensor weights = made_by(softmax_over_queries, weight_use(scores, mask));
  EXPECT_EQ(weights.at({0, 0, 0, 0}), 0.0F);
  EXPECT_EQ(weights.at({0, 0, 0, 1}), 0.0F);
  EXPECT_EQ(weights.at({0, 0, 1, 0}), 1.0F);
  EXPECT_TRUE(std::isnan(weights.at({0, 0, 1, 1})));
}

TEST(SoftmaxThenMask, HiddenWeightsAreOverwrittenAndNothingMakesUpForThem) {
  const Tensor scores({1, 1, 3, 2}, {0, 0, 0, 0, 0, 0});
  const Tensor mask({1, 1, 3, 2}, {0, hidden, -3, 0, hidden, hidden});
  const Use use = weight_use(scores, mask);
  expect_values(made_by(softmax_then_mask, use), {0.5F, 0, 0.5F, 0.5F, 0, 0});
  EXPECT_EQ(explained(softmax_then_mask, use, {0, 0, 0, 1}).rule, Rule::overwritten);
  EXPECT_EQ(explained(softmax_then_mask, use, {0, 0, 2, 1}).rule, Rule::fully_masked);
  expect_values(made_by(softmax_then_mask, weight_use(scores)), {.5F, .5F, .5F, .5F, .5F, .5F});
}

TEST(SoftmaxThenMask, AHiddenNanSpoilsTheOthers) {
  const Tensor scores({1, 1, 1, 2}, {0, not_a_number});
  const Tensor weights =
      made_by(softmax_then_mask, weight_use(scores, Tensor({1, 1, 1, 2}, {0, hidden})));
  EXPECT_TRUE(std::isnan(weights.at({0, 0, 0, 0})));
  EXPECT_EQ(weights.at({0, 0, 0, 1}), 0.0F);
}

TEST(SoftmaxUnshifted, GivesTheSameWeightsAsLongAsNothingOverflows) {
  const Tensor scores({1, 1, 3, 3}, {0, 1, 2, -3, hidden, 80, hidden, hidden, hidden});
  const Use use = weight_use(scores);
  expect_close(made_by(softmax_unshifted, use), Array(made_by(softmax, use)), 1e-6, "weights");
  const Explanation made = explained(softmax_unshifted, use, {0, 0, 0, 1});
  EXPECT_FALSE(made.maximum) << "none is subtracted";
  EXPECT_NEAR(made.terms[2].value, std::exp(2.0), 1e-6);
  EXPECT_NEAR(made.denominator, 1.0 + std::exp(1.0) + std::exp(2.0), 1e-5);
  EXPECT_EQ(explained(softmax_unshifted, use, {0, 0, 2, 1}).rule, Rule::fully_masked);
}

TEST(SoftmaxUnshifted, OverflowsInFloat32AndSaysSo) {
  const Tensor scores({1, 1, 1, 3}, {88.5F, 89, 1});
  const Use use = weight_use(scores);
  const Tensor weights = made_by(softmax_unshifted, use);
  EXPECT_EQ(weights.at({0, 0, 0, 0}), 0.0F) << "a number / ∞";
  EXPECT_TRUE(std::isnan(weights.at({0, 0, 0, 1}))) << "∞ / ∞";
  EXPECT_EQ(weights.at({0, 0, 0, 2}), 0.0F);
  const Explanation made = explained(softmax_unshifted, use, {0, 0, 0, 1});
  EXPECT_EQ(made.terms[1].value, std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(made.result));
  EXPECT_EQ(explained(softmax_unshifted, use, {0, 0, 0, 0}).result, 0.0);
  EXPECT_FALSE(std::isnan(made_by(softmax, use).at({0, 0, 0, 1}))) << "with the largest subtracted";
}

TEST(SoftmaxOverQueries, GradientsOfAColumn) {
  const Tensor scores({1, 1, 2, 2}, {1, 0, 1, hidden});
  const Use use = weight_use(scores);
  // Weights ½ ½ in one column, 1 0 in the other: ½ · (2 − (2 + 4) / 2) …
  const Tensor d({1, 1, 2, 2}, {2, 5, 4, 7});
  expect_values(gradient_by(softmax_over_queries, 0, use, d), {-0.5F, 0, 0.5F, 0});
}

// A row that was set by hand has no gradient to pass on, but its score took its part of the column.
TEST(SoftmaxOverQueries, GradientsOfAColumnWithAWeightThatWasSetByHand) {
  const Tensor scores({1, 1, 2, 1}, {1, 1});
  const Use use = weight_use(scores);
  const Tensor set({1, 1, 2, 1}, {0.5F, -3});
  const Tensor d({1, 1, 2, 1}, {4, 0});
  const Use row = gradient_use(softmax_over_queries, 0, use, set, d);
  expect_values(made_by(*softmax_over_queries.backward[0].operation, row), {1, -1});
}

TEST(SoftmaxOverQueries, AQueryThatMaySeeNoKeySpoilsNoGradient) {
  const Tensor mask({1, 1, 2, 2}, {hidden, hidden, 0, 0});
  const Use use = weight_use(Tensor({1, 1, 2, 2}, {hidden, hidden, 1, 2}), mask);
  expect_values(gradient_by(softmax_over_queries, 0, use,
                            Tensor({1, 1, 2, 2}, {not_a_number, infinity, 1, 2})),
                {0, 0, 0, 0});
}

TEST(SoftmaxThenMask, GradientsAreOfAllKeysThoughHiddenOnesGiveNone) {
  const Use use = weight_use(Tensor({1, 1, 2, 2}, {0, 0, 0, 0}),
                             Tensor({1, 1, 2, 2}, {0, hidden, hidden, hidden}));
  const Tensor d({1, 1, 2, 2}, {4, not_a_number, 1, 2});
  expect_values(gradient_by(softmax_then_mask, 0, use, d), {1, -1, 0, 0});
  expect_values(gradient_by(softmax_then_mask, 0, weight_use(Tensor({1, 1, 1, 2})),
                            Tensor({1, 1, 1, 2}, {4, 0})),
                {1, -1});
}

TEST(SoftmaxUnshifted, GradientsAreThoseOfSoftmax) {
  Numbers numbers(1);
  const Use use = weight_use(numbers.tensor({1, 2, 3, 4}));
  const Tensor d = numbers.tensor({1, 2, 3, 4});
  expect_close(gradient_by(softmax_unshifted, 0, use, d), Array(gradient_by(softmax, 0, use, d)),
               1e-6, "gradients");
}

}  // namespace
}  // namespace ops
