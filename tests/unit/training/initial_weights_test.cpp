#include "training/initial_weights.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace training {
namespace {

TEST(InitialWeights, XavierFillsItsBoundEvenly) {
  const tensor::Tensor weight = xavier_uniform(300, 200, base::Random(1, "w"));
  ASSERT_EQ(weight.shape(), (tensor::Shape{300, 200}));
  const double bound = std::sqrt(6.0 / 500.0);
  double sum = 0.0;
  double squares = 0.0;
  double largest = 0.0;
  for (const float value : weight.values()) {
    const auto number = static_cast<double>(value);
    sum += number;
    squares += number * number;
    largest = std::max(largest, std::fabs(number));
  }
  EXPECT_LE(largest, bound * 1.000001);
  EXPECT_GE(largest, bound * 0.999);
  EXPECT_NEAR(sum / 60'000.0, 0.0, 0.01 * bound);
  // The variance of numbers evenly spread over ±a is a²/3.
  EXPECT_NEAR(squares / 60'000.0, bound * bound / 3.0, 0.01 * bound * bound);
}

TEST(InitialWeights, NormalHasItsMomentsAndTails) {
  const tensor::Tensor numbers = normal({100, 1000}, 0.5F, base::Random(1, "embedding"));
  double sum = 0.0;
  double squares = 0.0;
  double beyond_two = 0.0;
  for (const float value : numbers.values()) {
    const double number = static_cast<double>(value) / 0.5;
    sum += number;
    squares += number * number;
    if (std::fabs(number) > 2.0) beyond_two += 1.0;
  }
  EXPECT_NEAR(sum / 100'000.0, 0.0, 0.01);
  EXPECT_NEAR(squares / 100'000.0, 1.0, 0.02);
  EXPECT_NEAR(beyond_two / 100'000.0, 0.0455, 0.003);
}

// Known numbers: what is learned from a seed must be the same in the browser and next year.
TEST(InitialWeights, AreTheSameOnEveryMachine) {
  EXPECT_EQ(xavier_uniform(1, 3, base::Random(7, "w")).values(),
            (std::vector<float>{-0.572316945F, -0.395897269F, 0.803894758F}));
  EXPECT_EQ(normal({3}, 1.0F, base::Random(7, "w")).values(),
            (std::vector<float>{0.45598942F, 2.26110649F, -0.361988306F}));
}

}  // namespace
}  // namespace training
