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
#include "special_floats.hpp"

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

/// A row of scores, and what comes of it, with one more number behind each step that must stay.
struct Steps {
  std::vector<float> scores;
  std::vector<float> mask;  ///< empty: none
  Divisor divisor{1.0F};
  std::vector<float> scaled = std::vector<float>(scores.size() + 1, 7.0F);
  std::vector<float> masked = scaled;
  std::vector<float> weights = scaled;

  std::size_t weigh(const RowKernel& kernel) {
    return kernel.weigh_row({scores.size(), scores.data(), scaled.data(),
                             mask.empty() ? nullptr : mask.data(), masked.data(), weights.data(),
                             divisor});
  }
};

bool same_bits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

/// Rows of every length up to 70, with and without a mask that hides none, some, the last or all
/// keys, by divisors of every kind, with one special score.
template <typename Visit>
void for_rows(Visit visit) {
  std::mt19937 random(1);
  std::normal_distribution<float> score(0.0F, 30.0F);
  for (std::size_t length = 1; length <= 70; ++length) {
    for (const float special : {0.0F, hidden, infinity, not_a_number}) {
      for (const float divisor : {1.0F, 8.0F, 1.7320508F, -0.5F, -3.0F}) {
        for (const std::size_t seen : {length + 1, length, length / 2, std::size_t{0}}) {
          Steps steps{std::vector<float>(length), {}, Divisor(divisor)};
          for (float& number : steps.scores) number = score(random);
          steps.scores[length / 2] = special;
          if (seen <= length) {
            steps.mask.resize(length, hidden);
            for (std::size_t i = 0; i < seen; ++i) steps.mask[i] = i % 3 == 1 ? hidden : 0.25F;
          }
          SCOPED_TRACE(testing::Message() << length << " keys, " << special << " / " << divisor
                                          << ", " << seen << " seen");
          visit(steps);
        }
      }
    }
  }
}

TEST(Rows, EveryKernelGivesTheSameBits) {
  const RowKernel& portable = row_kernels().front();
  ASSERT_EQ(portable.name, "portable");
  for_rows([&](const Steps& row) {
    Steps expected = row;
    const std::size_t seen = expected.weigh(portable);
    for (const RowKernel& kernel : row_kernels()) {
      Steps steps = row;
      EXPECT_EQ(steps.weigh(kernel), seen) << kernel.name;
      EXPECT_TRUE(same_bits(steps.scaled, expected.scaled)) << kernel.name;
      EXPECT_TRUE(same_bits(steps.masked, expected.masked)) << kernel.name;
      EXPECT_TRUE(same_bits(steps.weights, expected.weights)) << kernel.name;
    }
  });
}

TEST(Rows, AreScaledMaskedAndWeighed) {
  for_rows([](Steps steps) {
    const std::size_t count = steps.scores.size();
    steps.weigh(row_kernels().front());
    const std::vector<float> untouched(1, 7.0F);
    std::vector<float> scaled(count);
    divide_row(steps.scores.data(), steps.divisor, count, scaled.data());
    std::vector<float> masked = scaled;
    if (!steps.mask.empty()) {
      EXPECT_TRUE(same_bits({steps.scaled.begin(), steps.scaled.end() - 1}, scaled));
      add_row(scaled.data(), steps.mask.data(), count, masked.data());
    }
    EXPECT_TRUE(same_bits({steps.masked.begin(), steps.masked.end() - 1}, masked));
    for (const std::vector<float>& step : {steps.scaled, steps.masked, steps.weights})
      EXPECT_EQ(step.back(), 7.0F);

    // Softmax again, in double precision.
    double largest = -std::numeric_limits<double>::infinity();
    for (const float number : masked) largest = std::fmax(largest, number);
    if (largest == -std::numeric_limits<double>::infinity()) largest = 0.0;
    double sum = 0.0;
    for (const float number : masked) sum += std::exp(number - largest);
    const bool hides_every_key = !steps.mask.empty() && hides_all(steps.mask.data(), count);
    for (std::size_t i = 0; i < count; ++i) {
      const double expected =
          hides_every_key || sum == 0.0 ? 0.0 : std::exp(masked[i] - largest) / sum;
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(steps.weights[i])) << i;
      } else {
        EXPECT_NEAR(steps.weights[i], expected, 1e-6) << i;
      }
    }
  });
}

}  // namespace
}  // namespace attention
