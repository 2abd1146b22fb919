#include <cmath>

#include "ops/uses.hpp"
#include "special_floats.hpp"

namespace ops {
namespace {

TEST(Add, CellByCell) {
  expect_values(made_by(add, use_of({L, E}, {{Tensor({2, 2}, {1, 2, 3, 4}), {L, E}},
                                             {Tensor({2, 2}, {10, 20, 30, 40}), {L, E}}})),
                {11, 22, 33, 44});
}

TEST(Add, RepeatsTheLettersThatAreMissing) {
  const Tensor x = counting({2, 2, 3});
  expect_values(
      made_by(add, use_of({B, L, E}, {{x, {B, L, E}}, {Tensor({3}, {100, 200, 300}), {E}}})),
      {101, 202, 303, 104, 205, 306, 107, 208, 309, 110, 211, 312});
  expect_values(made_by(add, use_of({B, L, E}, {{x, {B, L, E}}, {Tensor({2}, {100, 200}), {L}}})),
                {101, 102, 103, 204, 205, 206, 107, 108, 109, 210, 211, 212});
}

TEST(Add, TakesViews) {
  const Tensor turned = counting({2, 3}).transpose(0, 1);
  expect_values(made_by(add, use_of({L, E}, {{turned, {L, E}}, {counting({3, 2}), {L, E}}})),
                {2, 6, 5, 9, 8, 12});
  const Tensor part = counting({2, 4, 3}).narrow(1, 1, 2);  // 4 … 9 and 16 … 21
  expect_values(
      made_by(add, use_of({B, L, E}, {{part, {B, L, E}}, {Tensor({3}, {100, 200, 300}), {E}}})),
      {104, 205, 306, 107, 208, 309, 116, 217, 318, 119, 220, 321});
  const Tensor repeated = Tensor({2, 1}, {10, 20}).expand({2, 3});
  expect_values(made_by(add, use_of({L, E}, {{counting({2, 3}), {L, E}}, {repeated, {L, E}}})),
                {11, 12, 13, 24, 25, 26});
}

TEST(Add, HiddenScoresFollowIeee) {
  const Tensor sum =
      made_by(add, use_of({Lk}, {{Tensor({4}, {1, infinity, not_a_number, -infinity}), {Lk}},
                                 {Tensor::full({4}, hidden), {Lk}}}));
  EXPECT_EQ(sum.at({0}), -infinity);
  EXPECT_TRUE(std::isnan(sum.at({1})));
  EXPECT_TRUE(std::isnan(sum.at({2})));
  EXPECT_EQ(sum.at({3}), -infinity);
}

TEST(Add, Three) {
  expect_values(made_by(add, use_of({L}, {{Tensor({2}, {1, 2}), {L}},
                                          {Tensor({2}, {10, 20}), {L}},
                                          {Tensor({2}, {100, 200}), {L}}})),
                {111, 222});
  const Use use = use_of({L, E}, {{counting({3, 2}).transpose(0, 1), {L, E}},
                                  {Tensor({3}, {10, 20, 30}), {E}},
                                  {Tensor({2}, {100, 200}), {L}}});
  expect_values(made_by(add, use), {111, 123, 135, 212, 224, 236});
  const Explanation made = explained(add, use, {1, 2});
  ASSERT_EQ(made.terms.size(), 3U);
  EXPECT_EQ(made.terms[1].a.index, (Index{2}));
  EXPECT_EQ(made.terms[2].a.index, (Index{1}));
}

TEST(Add, PassesItsGradientOnAndAddsItUpWhereItRepeated) {
  const Tensor d = counting({2, 2, 3});
  const Use use = use_of({B, L, E}, {{counting({2, 2, 3}), {B, L, E}}, {counting({2, 3}), {L, E}}});
  EXPECT_TRUE(gradient_by(add, 0, use, d).is_same_view(d));
  expect_values(gradient_by(add, 1, use, d), {8, 10, 12, 14, 16, 18});
}

TEST(Subtract, CellByCell) {
  const Use use = use_of({L, E}, {{Tensor({2, 2}, {10, 20, 30, 40}), {L, E}},
                                  {counting({2, 2}).transpose(0, 1), {L, E}}});
  expect_values(made_by(subtract, use), {9, 17, 28, 36});
  const Explanation made = explained(subtract, use, {0, 1});
  EXPECT_EQ(made.rule, Rule::difference);
  EXPECT_EQ(made.terms[1].a.index, (Index{0, 1}));
  EXPECT_EQ(made.terms[1].value, -3.0);
}

TEST(Subtract, WhatIsSubtractedGetsTheNegativeGradient) {
  const Tensor d = counting({2, 2});
  const Use use = use_of({L, E}, {{counting({2, 2}), {L, E}}, {counting({2, 2}), {L, E}}});
  EXPECT_TRUE(gradient_by(subtract, 0, use, d).is_same_view(d));
  expect_values(gradient_by(subtract, 1, use, d), {-1, -2, -3, -4});
}

TEST(Negative, OfEveryNumber) {
  const Tensor x({4}, {1.5F, -2, infinity, not_a_number});
  const Tensor y = made_by(negative, use_of({E}, {{x, {E}}}));
  EXPECT_EQ(y.at({0}), -1.5F);
  EXPECT_EQ(y.at({1}), 2.0F);
  EXPECT_EQ(y.at({2}), -infinity);
  EXPECT_TRUE(std::isnan(y.at({3})));
  expect_values(made_by(negative, use_of({L, E}, {{counting({2, 2}).transpose(0, 1), {L, E}}})),
                {-1, -3, -2, -4});
  EXPECT_EQ(explained(negative, use_of({E}, {{x, {E}}}), {0}).factor, -1.0);
}

}  // namespace
}  // namespace ops
