#include "ops/exponential.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

namespace ops {
namespace {

/// How far e^x is off, in steps of float32 at the true value: of the normal numbers, or of the
/// subnormal ones.
double steps_off(float x) {
  const double truth = std::exp(static_cast<double>(x));
  const int exponent = std::max(std::ilogb(truth), -126);
  return std::abs(static_cast<double>(exponential_of(x)) - truth) / std::ldexp(1.0, exponent - 23);
}

TEST(Exponential, WithinItsBoundOverTheWholeRange) {
  double most = 0.0;
  double most_subnormal = 0.0;
  // Every 101st float from −0 down to the last whose power is not 0.
  std::int32_t bits = 0;
  for (float x = 0.0F; x < 103.9F; std::memcpy(&x, &bits, sizeof x)) {
    double& worst = x > 87.33F ? most_subnormal : most;
    worst = std::max(worst, steps_off(-x));
    bits += 101;
  }
  EXPECT_LE(most, 1.1);
  EXPECT_GT(most, 0.4) << "a bound that nothing comes near says nothing";
  EXPECT_LE(most_subnormal, 1.0);
}

TEST(Exponential, ExactAtItsEdges) {
  EXPECT_EQ(exponential_of(0.0F), 1.0F);
  EXPECT_EQ(exponential_of(-0.0F), 1.0F);
  EXPECT_EQ(exponential_of(-std::numeric_limits<float>::infinity()), 0.0F);
  EXPECT_EQ(exponential_of(std::nextafter(-104.0F, -105.0F)), 0.0F);
  EXPECT_EQ(exponential_of(-1e6F), 0.0F);
  EXPECT_EQ(exponential_of(std::numeric_limits<float>::lowest()), 0.0F);
  EXPECT_TRUE(std::isnan(exponential_of(std::numeric_limits<float>::quiet_NaN())));
}

TEST(Exponential, EachNumberOfAnExpressionByItself) {
  const xt::xtensor<float, 1> x{0.0F, -2.0F, -1.0F, std::numeric_limits<float>::quiet_NaN(),
                                -200.0F};
  const xt::xtensor<float, 1> powers = exponential(x + 0.0F);
  ASSERT_EQ(powers.size(), 5U);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(powers(i), exponential_of(x(i)));
  EXPECT_TRUE(std::isnan(powers(3)));
  EXPECT_EQ(powers(4), 0.0F);
}

}  // namespace
}  // namespace ops
