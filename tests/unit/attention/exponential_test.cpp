#include "attention/exponential.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include <gtest/gtest.h>

namespace attention {
namespace {

float exponential_of(float x) { return exponential(all_four(x))[0]; }

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

TEST(Exponential, EachOfTheFourByItself) {
  const Four powers =
      exponential(Four{0.0F, -2.0F, -1.0F, std::numeric_limits<float>::quiet_NaN()});
  EXPECT_EQ(powers[0], 1.0F);
  EXPECT_NEAR(powers[1], std::exp(-2.0), 1e-8);
  EXPECT_NEAR(powers[2], std::exp(-1.0), 3e-8);
  EXPECT_TRUE(std::isnan(powers[3]));
}

}  // namespace
}  // namespace attention
