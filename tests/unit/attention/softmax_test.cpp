#include "attention/softmax.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "attention/helpers.hpp"
#include "attention/mask.hpp"
#include "special_floats.hpp"

namespace attention {
namespace {

using test::Array;
using test::Numbers;

Array reference(const Tensor& x) {
  Array result(x);
  const std::size_t length = x.shape().back();
  for (std::size_t first = 0; first < result.values.size(); first += length) {
    double sum = 0.0;
    for (std::size_t i = first; i < first + length; ++i) {
      result.values[i] = std::exp(result.values[i]);
      sum += result.values[i];
    }
    for (std::size_t i = first; i < first + length; ++i) result.values[i] /= sum;
  }
  return result;
}

// Every row must sum to 1, and ASan must stay silent. With the reducers left lazy, `x - xt::amax(x,
// {1}, xt::keep_dims)` steps through the row maxima as if they were a full matrix: wrong weights,
// and reads past the end of x. That is so in every xtensor from 0.24 to 0.27; it compiles without a
// warning and even gives right sums for square matrices of equal rows, so this test uses rows that
// differ, more columns than rows and more rows than columns.
TEST(Softmax, RowsSumToOne) {
  for (const Shape& shape :
       {Shape{3, 4}, Shape{4, 3}, Shape{1, 9}, Shape{9, 1}, Shape{2, 3, 5, 7}, Shape{40, 33}}) {
    const Tensor x = test::counting(shape);
    const Tensor weights = softmax(x);
    EXPECT_EQ(weights.shape(), shape);
    const Tensor rows = as_rows(weights);
    for (std::size_t row = 0; row < rows.dim(0); ++row) {
      double sum = 0.0;
      for (std::size_t i = 0; i < rows.dim(1); ++i) sum += static_cast<double>(rows.at({row, i}));
      EXPECT_NEAR(sum, 1.0, 1e-6) << describe(shape) << " row " << row;
    }
  }
}

TEST(Softmax, IsTheDefinition) {
  Numbers numbers(1);
  for (const Shape& shape :
       {Shape{1}, Shape{7}, Shape{3, 4}, Shape{2, 3, 4, 5}, Shape{1, 1, 64, 64}}) {
    const Tensor x = numbers.tensor(shape);
    test::expect_close(softmax(x), reference(x), 1e-6, describe(shape));
  }
  const Tensor turned = numbers.tensor({5, 3}).transpose(0, 1);
  test::expect_close(softmax(turned), reference(turned), 1e-6, "a view with other strides");
}

TEST(Softmax, DoesNotOverflow) {
  const Tensor weights = softmax(Tensor({2, 2}, {1000.0F, 1001.0F, -1e30F, -2e30F}));
  EXPECT_NEAR(weights.at({0, 0}), 1.0 / (1.0 + std::exp(1.0)), 1e-6);
  EXPECT_EQ(weights.at({1, 0}), 1.0F);
  EXPECT_EQ(weights.at({1, 1}), 0.0F);
}

TEST(Softmax, TheLowestNumberIsNotHidden) {
  constexpr float lowest = std::numeric_limits<float>::lowest();
  test::expect_values(softmax(Tensor({2, 2}, {lowest, lowest, lowest, hidden})),
                      {0.5F, 0.5F, 1, 0});
}

TEST(Softmax, HiddenKeysWeighNothing) {
  const Tensor weights = softmax(Tensor({1, 3}, {1.0F, hidden, 1.0F}));
  test::expect_values(weights, {0.5F, 0.0F, 0.5F});
}

TEST(Softmax, ARowOfNothingButHiddenKeysIsZero) {
  const Tensor weights = softmax(Tensor({3, 2}, {1, 1, hidden, hidden, 2, hidden}));
  test::expect_values(weights, {0.5F, 0.5F, 0, 0, 1, 0});
}

TEST(Softmax, NanAndInfinityFillTheirRowOnly) {
  const Tensor weights =
      softmax(Tensor({5, 3}, {not_a_number, 1, 2, 1, not_a_number, hidden, hidden, hidden,
                              not_a_number, 1, infinity, 2, 0, 0, hidden}));
  for (std::size_t row = 0; row < 4; ++row) {
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_TRUE(std::isnan(weights.at({row, i}))) << row << ',' << i;
  }
  EXPECT_EQ(weights.at({4, 0}), 0.5F);
}

TEST(Softmax, EmptyStaysEmpty) { EXPECT_EQ(softmax(Tensor({2, 0})).shape(), (Shape{2, 0})); }

}  // namespace
}  // namespace attention
