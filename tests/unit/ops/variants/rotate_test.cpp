#include <cmath>

#include "ops/uses.hpp"

namespace ops {
namespace {

Use rotation(const Tensor& x, float base = 10000.0F) {
  Constants constants;
  constants.rope_base = base;
  return use_of({B, H, Lq, D}, {{x, {B, H, Lq, D}}}, constants);
}

TEST(Rotate, TurnsPairsOfHalves) {
  // Position 1 of a head of width 4: numbers 0 and 2 by 1 radian, 1 and 3 by 1/100.
  const Tensor x = Tensor({1, 1, 2, 4}, {1, 2, 3, 4, 1, 2, 3, 4});
  const Tensor y = made_by(rotate, rotation(x));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(y.at({0, 0, 0, i}), x.at({0, 0, 0, i}));
  EXPECT_NEAR(y.at({0, 0, 1, 0}), std::cos(1.0) - 3 * std::sin(1.0), 1e-6);
  EXPECT_NEAR(y.at({0, 0, 1, 2}), 3 * std::cos(1.0) + std::sin(1.0), 1e-6);
  EXPECT_NEAR(y.at({0, 0, 1, 1}), 2 * std::cos(0.01) - 4 * std::sin(0.01), 1e-6);
  EXPECT_NEAR(y.at({0, 0, 1, 3}), 4 * std::cos(0.01) + 2 * std::sin(0.01), 1e-6);
}

TEST(Rotate, TurnsNeighboursOfTheFirstNumbers) {
  const Tensor x = Tensor({1, 1, 2, 6}, {1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
  Use use = rotation(x);
  use.constants.rope_neighbours = true;
  use.constants.rope_dims = 4;
  const Tensor y = made_by(rotate, use);
  EXPECT_NEAR(y.at({0, 0, 1, 0}), std::cos(1.0) - 2 * std::sin(1.0), 1e-6);
  EXPECT_NEAR(y.at({0, 0, 1, 1}), 2 * std::cos(1.0) + std::sin(1.0), 1e-6);
  EXPECT_NEAR(y.at({0, 0, 1, 2}), 3 * std::cos(0.01) - 4 * std::sin(0.01), 1e-6);
  EXPECT_EQ(y.at({0, 0, 1, 4}), 5.0F);
  EXPECT_EQ(y.at({0, 0, 1, 5}), 6.0F);
}

TEST(Rotate, TakesFrequenciesAndAFactor) {
  const Tensor x = Tensor({1, 1, 2, 4}, {1, 2, 3, 4, 1, 2, 3, 4});
  Constants constants;
  constants.rope_factor = 2.0F;
  const Use use =
      use_of({B, H, Lq, D}, {{x, {B, H, Lq, D}}, {Tensor({2}, {0.5F, 0.25F}), {P}}}, constants);
  const Tensor y = made_by(rotate, use);
  EXPECT_NEAR(y.at({0, 0, 1, 0}), 2 * (std::cos(0.5) - 3 * std::sin(0.5)), 1e-6);
  EXPECT_NEAR(y.at({0, 0, 1, 1}), 2 * (2 * std::cos(0.25) - 4 * std::sin(0.25)), 1e-6);
}

TEST(Rotate, ProductsDependOnTheDistanceAlone) {
  Numbers numbers(1);
  const Tensor token = numbers.tensor({1, 1, 1, 6});
  const Tensor y = rotate.forward(rotation(token.expand({1, 1, 9, 6}).clone(), 50.0F));
  const auto product = [&](std::size_t i, std::size_t j) {
    double sum = 0.0;
    for (std::size_t d = 0; d < 6; ++d)
      sum += static_cast<double>(y.at({0, 0, i, d})) * static_cast<double>(y.at({0, 0, j, d}));
    return sum;
  };
  for (std::size_t j = 0; j + 3 < 9; ++j) EXPECT_NEAR(product(j + 3, j), product(3, 0), 1e-5) << j;
}

TEST(Rotate, GradientTurnsBack) {
  Numbers numbers(2);
  for (const float base : {1.0F, 10.0F, 500000.0F}) {
    // A view, as heads are.
    const Tensor x = numbers.tensor({2, 5, 3, 4}).transpose(1, 2);
    const Tensor y = made_by(rotate, rotation(x, base));
    expect_close(gradient_by(rotate, 0, rotation(x, base), y), Array(x), 1e-6, "there and back");
  }
}

}  // namespace
}  // namespace ops
