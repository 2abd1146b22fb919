#include <cmath>

#include "ops/uses.hpp"

namespace ops {
namespace {

struct Norm {
  Tensor weight;
  Tensor bias;
  Constants constants = {};
};

/// Along the last of however many axes there are.
Tensor normed(const Tensor& x, const Norm& norm) {
  constexpr Axes of_rank[] = {{}, {E}, {L, E}, {B, L, E}};
  const Axes& axes = of_rank[x.rank()];
  return made_by(layer_norm,
                 use_of(axes, {{x, axes}, {norm.weight, {E}}, {norm.bias, {E}}}, norm.constants));
}

Array norm_reference(const Tensor& x, const Norm& norm) {
  Array result(x);
  const std::size_t width = x.shape().back();
  for (std::size_t first = 0; first < result.values.size(); first += width) {
    double mean = 0.0;
    double variance = 0.0;
    for (std::size_t e = 0; e < width; ++e)
      mean += result.values[first + e] / static_cast<double>(width);
    for (std::size_t e = 0; e < width; ++e) {
      variance += std::pow(result.values[first + e] - mean, 2) / static_cast<double>(width);
    }
    for (std::size_t e = 0; e < width; ++e) {
      double& cell = result.values[first + e];
      cell = (cell - mean) / std::sqrt(variance + static_cast<double>(norm.constants.eps)) *
                 static_cast<double>(norm.weight.at({e})) +
             static_cast<double>(norm.bias.at({e}));
    }
  }
  return result;
}

TEST(LayerNorm, IsTheDefinition) {
  Numbers numbers(1);
  for (const Shape& shape :
       {Shape{1, 1, 2}, Shape{2, 3, 6}, Shape{1, 5, 3}, Shape{4, 7}, Shape{1, 2, 512}}) {
    const Norm norm{numbers.tensor({shape.back()}), numbers.tensor({shape.back()})};
    const Tensor x = numbers.tensor(shape);
    const Tensor y = normed(x, norm);
    EXPECT_EQ(y.shape(), shape);
    expect_close(y, norm_reference(x, norm), 5e-6, describe(shape));
  }
}

TEST(LayerNorm, FarFromZero) {
  Numbers numbers(2);
  Tensor x = numbers.tensor({3, 64});
  float* cell = x.mutable_data();
  for (std::size_t i = 0; i < x.size(); ++i) cell[i] += 100.0F;
  const Norm norm{Tensor::full({64}, 1.0F), Tensor({64})};
  expect_close(normed(x, norm), norm_reference(x, norm), 1e-4, "mean 100");
}

TEST(LayerNorm, EqualNumbersBecomeTheBias) {
  const Norm norm{Tensor::full({3}, 2.0F), Tensor({3}, {1, 2, 3})};
  expect_values(normed(Tensor::full({2, 3}, 5.0F), norm), {1, 2, 3, 1, 2, 3});
}

TEST(LayerNorm, EpsIsUsed) {
  Norm norm{Tensor::full({2}, 1.0F), Tensor({2})};
  norm.constants.eps = 3.0F;
  // Variance 1, so (x − mean) / √(1 + 3).
  expect_values(normed(Tensor({1, 2}, {1, 3}), norm), {-0.5F, 0.5F});
}

TEST(LayerNorm, TakesViews) {
  Numbers numbers(3);
  const Norm norm{numbers.tensor({2, 4}).select(0, 1), numbers.tensor({4, 2}).select(1, 0)};
  const Tensor x = numbers.tensor({3, 2, 4}).transpose(0, 1);
  expect_close(normed(x, norm), norm_reference(x, norm), 5e-6, "views");
}

/// The rule of Ba et al. written as what a number of x does to every number of its token.
Array norm_gradient_reference(const Tensor& x, const Tensor& d, const Norm& norm) {
  Array gradient(x.shape());
  const Array numbers(x);
  const Array given(d);
  const std::size_t width = x.shape().back();
  const auto count = static_cast<double>(width);
  for (std::size_t first = 0; first < numbers.values.size(); first += width) {
    double mean = 0.0;
    double variance = static_cast<double>(norm.constants.eps);
    for (std::size_t e = 0; e < width; ++e) mean += numbers.values[first + e] / count;
    for (std::size_t e = 0; e < width; ++e)
      variance += std::pow(numbers.values[first + e] - mean, 2) / count;
    for (std::size_t from = 0; from < width; ++from) {
      for (std::size_t to = 0; to < width; ++to) {
        const double a = numbers.values[first + from] - mean;
        const double b = numbers.values[first + to] - mean;
        const double slope = ((from == to ? 1.0 : 0.0) - 1.0 / count - a * b / variance / count) /
                             std::sqrt(variance);
        gradient.values[first + from] +=
            slope * static_cast<double>(norm.weight.at({to})) * given.values[first + to];
      }
    }
  }
  return gradient;
}

TEST(LayerNorm, GradientOfItsInput) {
  Numbers numbers(4);
  for (const Shape& shape : {Shape{1, 1, 2}, Shape{2, 3, 6}, Shape{1, 5, 33}}) {
    Norm norm{numbers.tensor({shape.back()}), numbers.tensor({shape.back()})};
    norm.constants.eps = 0.1F;  // as much as it may matter
    const Axes axes{B, L, E};
    const Tensor x = numbers.tensor({shape[1], shape[0], shape[2]}).transpose(0, 1);
    const Tensor d = numbers.tensor({shape[0], shape[2], shape[1]}).transpose(1, 2);
    const Use use = use_of(axes, {{x, axes}, {norm.weight, {E}}, {norm.bias, {E}}}, norm.constants);
    expect_close(gradient_by(layer_norm, 0, use, d), norm_gradient_reference(x, d, norm), 1e-5,
                 describe(shape));
  }
}

TEST(LayerNorm, GradientsOfItsWeightAndBias) {
  Numbers numbers(5);
  const Norm plain{Tensor::full({6}, 1.0F), Tensor({6})};
  const Tensor x = numbers.tensor({3, 2, 6}).transpose(0, 1);
  const Tensor d = numbers.tensor({2, 3, 6});
  const Axes axes{B, L, E};
  const Use use = use_of(axes, {{x, axes}, {plain.weight, {E}}, {plain.bias, {E}}});
  const Array normal = norm_reference(x, plain);
  const Array given(d);
  Array of_weight({6});
  Array of_bias({6});
  for (std::size_t i = 0; i < given.values.size(); ++i) {
    of_weight.values[i % 6] += given.values[i] * normal.values[i];
    of_bias.values[i % 6] += given.values[i];
  }
  expect_close(gradient_by(layer_norm, 1, use, d), of_weight, 1e-5, "weight");
  expect_close(gradient_by(layer_norm, 2, use, d), of_bias, 1e-6, "bias");
}

// What is added to all numbers of a token changes nothing.
TEST(LayerNorm, GradientsOfATokenAddUpToNothing) {
  Numbers numbers(6);
  const Axes axes{L, E};
  const Use use = use_of(
      axes,
      {{numbers.tensor({4, 8}), axes}, {numbers.tensor({8}), {E}}, {numbers.tensor({8}), {E}}});
  const Tensor made = gradient_by(layer_norm, 0, use, numbers.tensor({4, 8}));
  for (std::size_t token = 0; token < 4; ++token) {
    double sum = 0.0;
    for (std::size_t e = 0; e < 8; ++e) sum += static_cast<double>(made.at({token, e}));
    EXPECT_NEAR(sum, 0.0, 1e-5);
  }
}

}  // namespace
}  // namespace ops
