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

}  // namespace
}  // namespace ops
