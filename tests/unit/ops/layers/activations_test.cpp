#include <cmath>

#include "ops/uses.hpp"
#include "special_floats.hpp"

namespace ops {
namespace {

Tensor activated(const Operation& operation, const Tensor& x) {
  return made_by(operation, use_of({F}, {{x, {F}}}));
}

TEST(Activations, Relu) {
  expect_values(activated(relu, Tensor({5}, {-1, 0, 2.5F, -infinity, infinity})),
                {0, 0, 2.5F, 0, infinity});
  EXPECT_TRUE(std::isnan(activated(relu, Tensor({1}, {not_a_number})).at({0})));
}

TEST(Activations, GeluIsTheExactForm) {
  const Tensor x({6}, {-3, -1, -0.25F, 0, 0.5F, 2});
  Array expected(x.shape());
  for (std::size_t i = 0; i < 6; ++i) {
    const auto value = static_cast<double>(x.at({i}));
    expected[{i}] = value * 0.5 * (1.0 + std::erf(value / std::sqrt(2.0)));
  }
  expect_close(activated(gelu, x), expected, 1e-6, "gelu");
  EXPECT_TRUE(std::isnan(activated(gelu, Tensor({1}, {not_a_number})).at({0})));
}

Tensor slope_of(const Operation& operation, const Tensor& x, const Tensor& d) {
  return gradient_by(operation, 0, use_of({F}, {{x, {F}}}), d);
}

// 0 where the number is 0, and passed on where it is NaN: as PyTorch.
TEST(Activations, GradientOfRelu) {
  const Tensor x({6}, {-1, 0, -0.0F, 2.5F, infinity, not_a_number});
  expect_values(slope_of(relu, x, counting({6})), {0, 0, 0, 4, 5, 6});
  const Tensor odd = slope_of(relu, Tensor({2}, {-1, 1}), Tensor::full({2}, not_a_number));
  EXPECT_EQ(odd.at({0}), 0.0F);
  EXPECT_TRUE(std::isnan(odd.at({1})));
}

TEST(Activations, GradientOfGelu) {
  const Tensor x({8}, {-30, -3, -1, -0.25F, 0, 0.5F, 2, 1e30F});
  const Tensor d({8}, {1, 2, -1, 3, 1, -2, 0.5F, 2});
  Array expected(x.shape());
  for (std::size_t i = 0; i < 8; ++i) {
    const auto value = static_cast<double>(x.at({i}));
    const double density = std::exp(-0.5 * value * value) / std::sqrt(2.0 * std::acos(-1.0));
    const double slope = 0.5 * std::erfc(-value / std::sqrt(2.0)) + value * density;
    expected[{i}] = slope * static_cast<double>(d.at({i}));
  }
  expect_close(slope_of(gelu, x, d), expected, 1e-6, "gelu");
  EXPECT_TRUE(std::isnan(slope_of(gelu, Tensor({1}, {not_a_number}), Tensor({1})).at({0})));
}

}  // namespace
}  // namespace ops
