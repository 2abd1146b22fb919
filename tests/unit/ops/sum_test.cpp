#include "ops/uses.hpp"
#include "special_floats.hpp"

namespace ops {
namespace {

Tensor sum_to(const Axes& axes, const Tensor& x, const Axes& letters) {
  return made_by(sum, use_of(axes, {{x, letters}}));
}

TEST(Sum, OverTheLettersThatTheResultLacks) {
  const Tensor x = counting({2, 2, 3});
  expect_values(sum_to({E}, x, {B, L, E}), {22, 26, 30});
  expect_values(sum_to({L, E}, x, {B, L, E}), {8, 10, 12, 14, 16, 18});
  expect_values(sum_to({B, E}, x, {B, L, E}), {5, 7, 9, 17, 19, 21});
  expect_values(sum_to({B, L}, x, {B, L, E}), {6, 15, 24, 33});
  expect_values(sum_to({L}, x, {B, L, E}), {30, 48});
  expect_values(sum_to({}, x, {B, L, E}), {78});
}

TEST(Sum, InAnotherOrderOfLetters) {
  const Tensor x = counting({2, 2, 3});
  expect_values(sum_to({E, B}, x, {B, L, E}), {5, 17, 7, 19, 9, 21});
  expect_values(sum_to({L, B}, x, {B, L, E}), {6, 24, 15, 33});
  // The gradient of keys that several heads share.
  const Tensor shared = counting({1, 2, 2, 2, 1});
  expect_values(sum_to({B, G, Lk, D}, shared, {B, G, R, Lk, D}), {4, 6, 12, 14});
}

TEST(Sum, WithNothingToSumIsAView) {
  const Tensor x = counting({2, 3});
  EXPECT_TRUE(sum_to({L, E}, x, {L, E}).is_same_view(x));
  const Tensor turned = sum_to({E, L}, x, {L, E});
  EXPECT_TRUE(turned.shares_storage_with(x));
  expect_values(turned, {1, 4, 2, 5, 3, 6});
  EXPECT_EQ(explained(sum, use_of({E, L}, {{x, {L, E}}}), {2, 1}).rule, Rule::copied);
  // Another letter is summed over, though there is one number along it.
  EXPECT_FALSE(sum_to({L, E}, counting({1, 2, 3}), {B, L, E}).shares_storage_with(x));
}

TEST(Sum, TakesViews) {
  const Tensor turned = counting({3, 2}).transpose(0, 1);  // 1 3 5, 2 4 6
  expect_values(sum_to({E}, turned, {L, E}), {3, 7, 11});
  expect_values(sum_to({L}, turned, {L, E}), {9, 12});
  expect_values(sum_to({E}, counting({4, 3}).narrow(0, 1, 2), {L, E}), {11, 13, 15});
  const Tensor repeated = Tensor({2, 1}, {1, 10}).expand({2, 3});
  expect_values(sum_to({L}, repeated, {L, E}), {3, 30});
  expect_values(sum_to({E}, repeated, {L, E}), {11, 11, 11});
}

TEST(Sum, NamesEveryNumberInOrder) {
  const Explanation made = explained(sum, use_of({L}, {{counting({2, 2, 3}), {B, L, E}}}), {1});
  EXPECT_EQ(made.rule, Rule::sum);
  ASSERT_EQ(made.terms.size(), 6U);
  EXPECT_EQ(made.terms[0].a.index, (Index{0, 1, 0}));
  EXPECT_EQ(made.terms[2].a.index, (Index{0, 1, 2}));
  EXPECT_EQ(made.terms[3].a.index, (Index{1, 1, 0}));
}

TEST(Average, OverTheLettersThatTheResultLacks) {
  const Tensor x = counting({1, 2, 2, 3});  // two heads of 2 × 3
  const Use use = use_of({B, Lq, Lk}, {{x, {B, H, Lq, Lk}}});
  expect_values(made_by(average, use), {4, 5, 6, 7, 8, 9});
  const Explanation made = explained(average, use, {0, 1, 2});
  EXPECT_EQ(made.rule, Rule::mean);
  ASSERT_EQ(made.terms.size(), 2U);
  EXPECT_EQ(made.terms[0].a.index, (Index{0, 0, 1, 2}));
  EXPECT_EQ(made.terms[1].a.index, (Index{0, 1, 1, 2}));
  EXPECT_EQ(made.divisor, 2.0);
  EXPECT_EQ(made.result, 9.0);
}

TEST(Sum, NanStaysInItsOwnSum) {
  const Tensor x({2, 2}, {not_a_number, 1, 2, 3});
  for (const Axes& axes : {Axes{E}, Axes{L}}) {
    const Tensor sums = sum_to(axes, x, {L, E});
    EXPECT_TRUE(std::isnan(sums.at({0})));
    EXPECT_FALSE(std::isnan(sums.at({1})));
  }
}

}  // namespace
}  // namespace ops
