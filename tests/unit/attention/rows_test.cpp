#include "attention/rows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "attention/mask.hpp"
#include "attention/row_kernels.hpp"

namespace attention {
namespace {

TEST(Rows, DivideAsDivisionDoes) {
  std::vector<float> x;
  for (int i = -40; i <= 40; ++i) x.push_back(std::ldexp(1.7F, 3 * i));
  x.push_back(std::numeric_limits<float>::denorm_min());
  x.push_back(std::numeric_limits<float>::infinity());
  // Powers of two take a shorter way; those whose reciprocal is no normal number do not.
  for (const float divisor : {8.0F, -0.5F, 1.0F, 3.0F, std::ldexp(1.0F, 127),
                              std::ldexp(1.0F, -127), std::ldexp(1.0F, -149), 22.627417F}) {
    std::vector<float> result(x.size());
    divide_row(x.data(), Divisor(divisor), x.size(), result.data());
    for (std::size_t i = 0; i < x.size(); ++i)
      EXPECT_EQ(result[i], x[i] / divisor) << x[i] << " / " << divisor;
  }
}

TEST(Rows, SoftmaxSaysWhereOnlyHiddenKeysFollow) {
  for (std::size_t length = 0; length <= 40; ++length) {
    for (std::size_t seen = 0; seen <= length; ++seen) {
      std::vector<float> x(length, hidden);
      for (std::size_t i = 0; i < seen; ++i) x[i] = static_cast<float>(i);
      if (seen > 1) x[0] = hidden;  // hidden, but not at the end
      std::vector<float> weights(length, -1.0F);
      EXPECT_EQ(softmax_row(x.data(), length, weights.data()), seen);
      EXPECT_EQ(visible(x.data(), length), seen);
      EXPECT_EQ(hides_all(x.data(), length), seen == 0);
      for (std::size_t i = 0; i < length; ++i) {
        EXPECT_EQ(weights[i] > 0.0F, x[i] != hidden) << length << ' ' << seen << ' ' << i;
      }
    }
  }
}

/// The weights that a kernel gives, with one more number behind them that must stay.
std::vector<float> weights_of(const RowKernel& kernel, const std::vector<float>& x) {
  std::vector<float> weights(x.size() + 1, -1.0F);
  kernel.softmax_row(x.data(), x.size(), weights.data());
  return weights;
}

TEST(Rows, EveryKernelGivesTheSameBits) {
  const RowKernel& portable = row_kernels().front();
  ASSERT_EQ(portable.name, "portable");
  std::mt19937 random(1);
  std::normal_distribution<float> score(0.0F, 30.0F);
  const float infinity = std::numeric_limits<float>::infinity();
  for (std::size_t length = 1; length <= 70; ++length) {
    for (const float special : {0.0F, hidden, infinity, std::nanf("")}) {
      std::vector<float> x(length);
      for (float& number : x) number = score(random);
      x[length / 2] = special;
      if (special == hidden) std::fill(x.begin() + static_cast<long>(length) / 2, x.end(), hidden);
      const std::vector<float> expected = weights_of(portable, x);
      EXPECT_EQ(expected.back(), -1.0F);
      for (const RowKernel& kernel : row_kernels()) {
        const std::vector<float> weights = weights_of(kernel, x);
        EXPECT_EQ(std::memcmp(weights.data(), expected.data(), weights.size() * sizeof(float)), 0)
            << kernel.name << ", " << length << " keys, " << special;
      }
    }
  }
}

}  // namespace
}  // namespace attention
