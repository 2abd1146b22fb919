#include <cmath>

#include "ops/uses.hpp"
#include "special_floats.hpp"

namespace ops {
namespace {

TEST(HalfSquares, OneNumber) {
  const Tensor x({2, 2}, {1, -2, 3, 0});
  const Use use = use_of({}, {{x, {L, E}}});
  const Tensor loss = made_by(half_squares, use);
  EXPECT_EQ(loss.rank(), 0U);
  EXPECT_EQ(loss.at({}), 7.0F);
  const Explanation made = explained(half_squares, use, {});
  EXPECT_EQ(made.rule, Rule::half_squares);
  ASSERT_EQ(made.terms.size(), 4U);
  EXPECT_EQ(made.terms[1].value, 2.0);
}

TEST(HalfSquares, OfAView) {
  const Tensor x = counting({3, 2, 2}).transpose(0, 1).narrow(2, 1, 1);  // 2 6 10 4 8 12
  EXPECT_EQ(made_by(half_squares, use_of({}, {{x, {B, L, E}}})).at({}), 182.0F);
}

// A sum in float32 would lose every second one of them.
TEST(HalfSquares, OfManyNumbers) {
  const Tensor x = Tensor::full({1 << 13, 1 << 12}, 1.0F);
  EXPECT_EQ(half_squares.forward(use_of({}, {{x, {L, E}}})).at({}), 16777216.0F);
}

TEST(HalfSquares, NanIsTold) {
  EXPECT_TRUE(std::isnan(
      made_by(half_squares, use_of({}, {{Tensor({2}, {1, not_a_number}), {E}}})).at({})));
}

TEST(HalfSquares, ItsGradientIsTheNumbersThemselves) {
  const Tensor x = counting({2, 2}).transpose(0, 1);
  const Use use = use_of({}, {{x, {L, E}}});
  expect_values(gradient_by(half_squares, 0, use, Tensor::full({}, 1.0F)), {1, 3, 2, 4});
  expect_values(gradient_by(half_squares, 0, use, Tensor::full({}, 2.0F)), {2, 6, 4, 8});
}

}  // namespace
}  // namespace ops
