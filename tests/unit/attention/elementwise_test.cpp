#include "attention/elementwise.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "attention/helpers.hpp"
#include "attention/mask.hpp"
#include "special_floats.hpp"

namespace attention {
namespace {

using test::Array;
using test::counting;
using test::expect_values;
using test::Numbers;

TEST(Elementwise, AddsTheSameShape) {
  expect_values(add(Tensor({2, 2}, {1, 2, 3, 4}), Tensor({2, 2}, {10, 20, 30, 40})),
                {11, 22, 33, 44});
  EXPECT_EQ(add(counting({2, 3, 4, 5}), counting({2, 3, 4, 5})).shape(), (Shape{2, 3, 4, 5}));
}

TEST(Elementwise, AddsABiasToEveryRow) {
  const Tensor sum = add(counting({2, 2, 3}), Tensor({3}, {100, 200, 300}));
  expect_values(sum, {101, 202, 303, 104, 205, 306, 107, 208, 309, 110, 211, 312});
}

TEST(Elementwise, AddsEveryKindOfRepeatedMask) {
  const Tensor scores = counting({2, 3, 4, 5});
  for (const Shape& shape : {Shape{4, 5}, Shape{2, 4, 5}, Shape{2, 3, 4, 5}, Shape{2, 1, 1, 5},
                             Shape{1, 3, 4, 1}, Shape{1, 1}}) {
    const Tensor mask = expand_mask(Numbers(7).tensor(shape), 2, 3, 4, 5);
    Array expected(scores.shape());
    Index index = Extents::filled(4, 0);
    do {
      expected[index] = static_cast<double>(scores.at(index) + mask.at(index));
    } while (next_index(index, scores.shape()));
    test::expect_close(add(scores, mask), expected, 0.0, describe(shape));
  }
}

TEST(Elementwise, AddsViewsWithOtherStrides) {
  const Tensor a = counting({2, 3}).transpose(0, 1);
  expect_values(add(a, counting({3, 2})), {2, 6, 5, 9, 8, 12});
}

TEST(Elementwise, AddsViewsWithGapsBetweenTheirCells) {
  const Tensor part = counting({2, 4, 3}).narrow(1, 1, 2);  // 4 … 9 and 16 … 21
  expect_values(add(part, Tensor({3}, {100, 200, 300})),
                {104, 205, 306, 107, 208, 309, 116, 217, 318, 119, 220, 321});
  const Tensor mask = expand_mask(counting({2, 1, 3, 2}).narrow(2, 0, 2), 2, 2, 2, 2);
  expect_values(add(Tensor({2, 2, 2, 2}), mask), mask.values());
}

TEST(Elementwise, DoesNotAddWhatDoesNotFit) {
  EXPECT_FALSE(add(Tensor({2, 3}), Tensor({2})).defined());
  EXPECT_FALSE(add(Tensor({3}), Tensor({2, 3})).defined());
}

TEST(Elementwise, HiddenScoresFollowIeee) {
  const Tensor sum =
      add(Tensor({4}, {1, infinity, not_a_number, -infinity}), Tensor::full({4}, hidden));
  EXPECT_EQ(sum.at({0}), -infinity);
  EXPECT_TRUE(std::isnan(sum.at({1})));
  EXPECT_TRUE(std::isnan(sum.at({2})));
  EXPECT_EQ(sum.at({3}), -infinity);
}

TEST(Elementwise, Divides) {
  expect_values(divide(Tensor({2, 2}, {1, -2, 3, 0}), 2.0F), {0.5F, -1.0F, 1.5F, 0.0F});
  expect_values(divide(counting({2, 3}).transpose(0, 1), 1.0F), {1, 4, 2, 5, 3, 6});
  // A division, not a product with a rounded reciprocal.
  EXPECT_EQ(divide(Tensor({1}, {5.0F}), 3.0F).at({0}), 5.0F / 3.0F);
}

TEST(Elementwise, Relu) {
  const Tensor activated = relu(Tensor({5}, {-1, 0, 2.5F, -infinity, infinity}));
  expect_values(activated, {0, 0, 2.5F, 0, infinity});
  EXPECT_TRUE(std::isnan(relu(Tensor({1}, {not_a_number})).at({0})));
}

TEST(Elementwise, GeluIsTheExactForm) {
  const Tensor x({6}, {-3, -1, -0.25F, 0, 0.5F, 2});
  Array expected(x.shape());
  for (std::size_t i = 0; i < 6; ++i) {
    const double value = static_cast<double>(x.at({i}));
    expected[{i}] = value * 0.5 * (1.0 + std::erf(value / std::sqrt(2.0)));
  }
  test::expect_close(gelu(x), expected, 1e-6, "gelu");
}

}  // namespace
}  // namespace attention
