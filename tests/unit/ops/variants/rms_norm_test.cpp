#include <cmath>

#include "ops/uses.hpp"

namespace ops {
namespace {

const Axes letters = {B, H, Lq, D};

Use norm(const Tensor& x) { return use_of(letters, {{x, letters}}); }
Use norm(const Tensor& x, const Tensor& weight) {
  return use_of(letters, {{x, letters}, {weight, {D}}});
}

Array norm_reference(const Array& x, const Array& weight) {
  Array result = x;
  const std::size_t width = x.shape.back();
  for (std::size_t first = 0; first < x.values.size(); first += width) {
    double squares = 0.0;
    for (std::size_t d = 0; d < width; ++d)
      squares += x.values[first + d] * x.values[first + d] / static_cast<double>(width);
    for (std::size_t d = 0; d < width; ++d)
      result.values[first + d] *= weight.values[d] / std::sqrt(squares + 1e-6);
  }
  return result;
}

TEST(RmsNorm, IsTheDefinition) {
  Numbers numbers(1);
  const Tensor x = numbers.tensor({2, 3, 4, 5}).transpose(1, 2);
  const Tensor weight = numbers.tensor({5});
  expect_close(made_by(rms_norm, norm(x, weight)), norm_reference(Array(x), Array(weight)), 1e-6,
               "with a weight");
  expect_close(made_by(rms_norm, norm(x)), norm_reference(Array(x), Array(Tensor::full({5}, 1.0F))),
               1e-6, "without");
}

TEST(RmsNorm, OfZerosIsZero) {
  expect_values(made_by(rms_norm, norm(Tensor({1, 1, 1, 3}))), {0, 0, 0});
}

/// Σ d · norm(x), whose slopes the gradients are.
double weighted(const Array& x, const Array& weight, const Array& d) {
  const Array y = norm_reference(x, weight);
  double sum = 0.0;
  for (std::size_t i = 0; i < y.values.size(); ++i) sum += y.values[i] * d.values[i];
  return sum;
}

TEST(RmsNorm, GradientsAreSlopes) {
  Numbers numbers(2);
  const Tensor x = numbers.tensor({2, 2, 3, 4});
  const Tensor weight = numbers.tensor({4});
  const Tensor d = numbers.tensor({2, 2, 3, 4});
  const auto slope = [&](bool of_x, const Index& at) {
    const auto moved = [&](double distance) {
      Array moved_x(x);
      Array moved_weight(weight);
      (of_x ? moved_x : moved_weight)[at] += distance;
      return weighted(moved_x, moved_weight, Array(d));
    };
    return (moved(1e-5) - moved(-1e-5)) / 2e-5;
  };
  for (const bool of_x : {true, false}) {
    const Tensor gradient = gradient_by(rms_norm, of_x ? 0 : 1, norm(x, weight), d);
    Index at = Index::filled(gradient.rank(), 0);
    do {
      EXPECT_NEAR(gradient.at(at), slope(of_x, at), 1e-5);
    } while (next_index(at, gradient.shape()));
  }
  gradient_by(rms_norm, 0, norm(x), d);  // explained without a weight, too
}

}  // namespace
}  // namespace ops
