#include "ops/uses.hpp"
#include "special_floats.hpp"

namespace ops {
namespace {

constexpr Axes score_axes{B, H, Lq, Lk};

Use masked_use(const Tensor& scores, const Tensor& mask) {
  return use_of(score_axes, {{scores, score_axes}, {mask, score_axes}});
}

TEST(MaskWithZero, AHiddenScoreBecomesZero) {
  const Tensor scores({1, 1, 2, 2}, {1, 2, 3, 4});
  const Tensor mask({1, 1, 2, 2}, {0, hidden, -0.5F, hidden});
  const Use use = masked_use(scores, mask);
  expect_values(made_by(mask_with_zero, use), {1, 0, 2.5F, 0});
  EXPECT_EQ(explained(mask_with_zero, use, {0, 0, 0, 1}).rule, Rule::overwritten);
  EXPECT_EQ(explained(mask_with_zero, use, {0, 0, 1, 0}).rule, Rule::sum);
}

TEST(MaskWithZero, WhateverTheScoreWas) {
  const Tensor scores({1, 1, 1, 4}, {not_a_number, infinity, -infinity, -3});
  const Tensor zeros =
      made_by(mask_with_zero, masked_use(scores, Tensor::full(scores.shape(), hidden)));
  EXPECT_TRUE(zeros.has_same_bits(Tensor({1, 1, 1, 4})));
}

TEST(AddFinite, AMaskThatOnlyHidesLeavesTheScoresAsTheyAre) {
  const Tensor scores({1, 1, 2, 2}, {1, -0.0F, 3, not_a_number});
  const Tensor hides({1, 1, 2, 2}, {0, hidden, 0, hidden});
  EXPECT_TRUE(made_by(add_finite, masked_use(scores, hides)).is_same_view(scores));
}

TEST(AddFinite, WhatIsFiniteIsAdded) {
  const Tensor scores({1, 1, 2, 2}, {1, -0.0F, 3, infinity});
  const Tensor adds({1, 1, 2, 2}, {0, hidden, -0.5F, hidden});
  EXPECT_TRUE(made_by(add_finite, masked_use(scores, adds))
                  .has_same_bits(Tensor({1, 1, 2, 2}, {1, -0.0F, 2.5F, infinity})));
}

TEST(ScoresAsWeights, ASeenKeysWeightIsItsScoreAndAHiddenOnesIsZero) {
  const Tensor scores({1, 1, 2, 2}, {-1, hidden, 3.5F, not_a_number});
  const Tensor mask({1, 1, 2, 2}, {0, hidden, -0.5F, hidden});
  const Use use = masked_use(scores, mask);
  expect_values(made_by(scores_as_weights, use), {-1, 0, 3.5F, 0});
  EXPECT_EQ(explained(scores_as_weights, use, {0, 0, 0, 0}).rule, Rule::copied);
  EXPECT_EQ(explained(scores_as_weights, use, {0, 0, 0, 1}).rule, Rule::overwritten);
  expect_values(gradient_by(scores_as_weights, 0, use, counting({1, 1, 2, 2})), {1, 0, 3, 0});
  const Use bare = use_of(score_axes, {{scores, score_axes}});
  EXPECT_TRUE(made_by(scores_as_weights, bare).has_same_bits(scores));
  EXPECT_EQ(explained(scores_as_weights, bare, {0, 0, 1, 0}).rule, Rule::copied);
}

TEST(MaskWithZero, WhatWasOverwrittenGetsNoGradient) {
  const Tensor d({1, 1, 2, 2}, {1, 2, 3, not_a_number});
  const Use use =
      masked_use(counting({1, 1, 2, 2}), Tensor({1, 1, 2, 2}, {0, hidden, -0.5F, hidden}));
  for (const std::size_t operand : {0U, 1U})
    expect_values(gradient_by(mask_with_zero, operand, use, d), {1, 0, 3, 0});
  const Use row = gradient_use(mask_with_zero, 0, use, d, d);
  const Operation& gradient = *mask_with_zero.backward[0].operation;
  EXPECT_EQ(explained(gradient, row, {0, 0, 0, 1}).rule, Rule::overwritten);
  EXPECT_EQ(explained(gradient, row, {0, 0, 1, 0}).rule, Rule::copied);
}

TEST(AddFinite, AScoreGetsItsGradientAndAMaskThatWasNotAddedNone) {
  const Tensor d = counting({1, 1, 2, 2});
  const Use use =
      masked_use(counting({1, 1, 2, 2}), Tensor({1, 1, 2, 2}, {0, hidden, -0.5F, hidden}));
  EXPECT_TRUE(gradient_by(add_finite, 0, use, d).is_same_view(d));
  expect_values(gradient_by(add_finite, 1, use, d), {1, 0, 3, 0});
}

}  // namespace
}  // namespace ops
