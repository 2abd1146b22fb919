#include "ops/softmax.hpp"

#include <cmath>
#include <limits>

#include "ops/uses.hpp"
#include "special_floats.hpp"

namespace ops {
namespace {

/// Of any shape: the rows of all axes but the last, one below the other.
Tensor weights_of(const Tensor& scores) {
  if (scores.size() == 0) return softmax_of(scores);
  const std::size_t length = scores.shape().back();
  const Tensor rows = scores.contiguous().reshape({scores.size() / length, length});
  const Tensor weights = made_by(softmax, use_of({Lq, Lk}, {{rows, {Lq, Lk}}}));
  EXPECT_TRUE(weights.has_same_bits(softmax_of(scores).reshape(rows.shape())));
  return weights.reshape(scores.shape());
}

Array softmax_reference(const Tensor& x) {
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

// Rows that differ, more columns than rows and more rows than columns: a reducer that goes wrong
// (tensor/rows.hpp) may give right sums for square matrices of equal rows.
TEST(Softmax, RowsSumToOne) {
  for (const Shape& shape :
       {Shape{3, 4}, Shape{4, 3}, Shape{1, 9}, Shape{9, 1}, Shape{2, 3, 5, 7}, Shape{40, 33}}) {
    const Tensor x = counting(shape);
    const Tensor weights = weights_of(x);
    EXPECT_EQ(weights.shape(), shape);
    const Tensor rows = weights.reshape({x.size() / shape.back(), shape.back()});
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
    expect_close(weights_of(x), softmax_reference(x), 1e-6, describe(shape));
  }
  const Tensor turned = numbers.tensor({5, 3}).transpose(0, 1);
  expect_close(weights_of(turned), softmax_reference(turned), 1e-6, "a view with other strides");
}

TEST(Softmax, DoesNotOverflow) {
  const Tensor weights = weights_of(Tensor({2, 2}, {1000.0F, 1001.0F, -1e30F, -2e30F}));
  EXPECT_NEAR(weights.at({0, 0}), 1.0 / (1.0 + std::exp(1.0)), 1e-6);
  EXPECT_EQ(weights.at({1, 0}), 1.0F);
  EXPECT_EQ(weights.at({1, 1}), 0.0F);
}

TEST(Softmax, TheLowestNumberIsNotHidden) {
  constexpr float lowest = std::numeric_limits<float>::lowest();
  expect_values(weights_of(Tensor({2, 2}, {lowest, lowest, lowest, hidden})), {0.5F, 0.5F, 1, 0});
}

TEST(Softmax, HiddenKeysWeighNothing) {
  const Tensor weights = weights_of(Tensor({1, 3}, {1.0F, hidden, 1.0F}));
  expect_values(weights, {0.5F, 0.0F, 0.5F});
}

TEST(Softmax, ARowOfNothingButHiddenKeysIsZero) {
  const Tensor weights = weights_of(Tensor({3, 2}, {1, 1, hidden, hidden, 2, hidden}));
  expect_values(weights, {0.5F, 0.5F, 0, 0, 1, 0});
}

TEST(Softmax, NanAndInfinityFillTheirRowOnly) {
  const Tensor weights =
      weights_of(Tensor({5, 3}, {not_a_number, 1, 2, 1, not_a_number, hidden, hidden, hidden,
                                 not_a_number, 1, infinity, 2, 0, 0, hidden}));
  for (std::size_t row = 0; row < 4; ++row) {
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_TRUE(std::isnan(weights.at({row, i}))) << row << ',' << i;
  }
  EXPECT_EQ(weights.at({4, 0}), 0.5F);
}

TEST(Softmax, OfAQueryThatMaySeeNoKeyIsZeroWhateverTheScores) {
  const Axes axes{B, H, Lq, Lk};
  const Tensor scores({1, 1, 3, 2}, {not_a_number, infinity, 1, 2, not_a_number, 0});
  const Tensor mask({1, 1, 3, 2}, {hidden, hidden, 0, hidden, 0, hidden});
  const Use use = use_of(axes, {{scores, axes}, {mask, axes}});
  const Tensor weights = made_by(softmax, use);
  EXPECT_EQ(weights.at({0, 0, 0, 0}), 0.0F);
  EXPECT_EQ(weights.at({0, 0, 0, 1}), 0.0F);
  EXPECT_GT(weights.at({0, 0, 1, 1}), 0.5F) << "the score was masked before";
  EXPECT_TRUE(std::isnan(weights.at({0, 0, 2, 1})));
  EXPECT_EQ(explained(softmax, use, {0, 0, 0, 1}).rule, Rule::fully_masked);
  EXPECT_EQ(explained(softmax, use, {0, 0, 1, 1}).rule, Rule::softmax);
}

TEST(Softmax, EmptyStaysEmpty) { EXPECT_EQ(weights_of(Tensor({2, 0})).shape(), (Shape{2, 0})); }

TEST(SoftmaxGradient, IsTheDefinition) {
  Numbers numbers(2);
  for (const Shape& shape : {Shape{1, 1}, Shape{3, 4}, Shape{7, 3}, Shape{5, 64}}) {
    const Tensor scores = numbers.tensor(shape);
    const Use use = use_of({Lq, Lk}, {{scores, {Lq, Lk}}});
    const Tensor d = numbers.tensor({shape[1], shape[0]}).transpose(0, 1);
    Array expected = softmax_reference(scores);
    for (std::size_t row = 0; row < shape[0]; ++row) {
      double mean = 0.0;
      for (std::size_t i = 0; i < shape[1]; ++i)
        mean += expected[{row, i}] * static_cast<double>(d.at({row, i}));
      for (std::size_t i = 0; i < shape[1]; ++i)
        expected[{row, i}] *= static_cast<double>(d.at({row, i})) - mean;
    }
    expect_close(gradient_by(softmax, 0, use, d), expected, 1e-6, describe(shape));
  }
}

TEST(SoftmaxGradient, ASaturatedRowLearnsNothing) {
  const Use use = use_of({Lq, Lk}, {{Tensor({1, 3}, {0, 200, hidden}), {Lq, Lk}}});
  expect_values(gradient_by(softmax, 0, use, Tensor({1, 3}, {5, -7, 9})), {0, 0, 0});
}

TEST(SoftmaxGradient, OfAQueryThatMaySeeNoKeyIsZeroWhateverItsWeightsGet) {
  const Axes axes{B, H, Lq, Lk};
  const Tensor scores({1, 1, 2, 2}, {not_a_number, infinity, 1, 1});
  const Tensor mask({1, 1, 2, 2}, {hidden, hidden, 0, 0});
  const Use use = use_of(axes, {{scores, axes}, {mask, axes}});
  const Tensor d({1, 1, 2, 2}, {not_a_number, 3, 1, 2});
  expect_values(gradient_by(softmax, 0, use, d), {0, 0, -0.25F, 0.25F});
  const Use row = gradient_use(softmax, 0, use, softmax.forward(use), d);
  EXPECT_EQ(explained(softmax_gradient, row, {0, 0, 0, 1}).rule, Rule::fully_masked);
  const Explanation made = explained(softmax_gradient, row, {0, 0, 1, 1});
  EXPECT_EQ(made.rule, Rule::softmax_gradient);
  EXPECT_EQ(made.factor, 0.5);
  EXPECT_EQ(made.selected, 1U);
}

}  // namespace
}  // namespace ops
