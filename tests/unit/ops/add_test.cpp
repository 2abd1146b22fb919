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

}  // namespace
}  // namespace ops
