#include "lesson/input/random.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace lesson {
namespace {

/// True for the float nearest to a decimal number of `decimals` digits: nothing hides behind what
/// is printed.
bool has_decimals(float value, unsigned decimals) {
  const double power = std::pow(10.0, decimals);
  const double rounded = std::round(static_cast<double>(value) * power) / power;
  return value == static_cast<float>(rounded);
}

Parameters parameters_of(std::size_t embed_dim, std::uint32_t seed) {
  Parameters parameters;
  parameters.embed_dim = embed_dim;
  parameters.seed = seed;
  return parameters;
}

TEST(RandomTensors, NormalNumbersHaveMeanZeroVarianceOneAndTwoDecimals) {
  Random random(1, "word.fox");
  std::vector<float> row(50'000);
  fill_normal(random, row);
  double sum = 0.0;
  double squares = 0.0;
  double fourth = 0.0;
  for (const float value : row) {
    ASSERT_TRUE(has_decimals(value, 2)) << value;
    ASSERT_LE(std::abs(value), 3.44F);
    const double x = static_cast<double>(value);
    sum += x;
    squares += x * x;
    fourth += x * x * x * x;
  }
  const double count = static_cast<double>(row.size());
  EXPECT_NEAR(sum / count, 0.0, 0.02);
  EXPECT_NEAR(squares / count, 1.0, 0.03);
  // 3 for a normal distribution, 1.8 for an even one, 2.7 for a sum of four even ones.
  EXPECT_NEAR(fourth / count, 2.7, 0.15);
}

TEST(RandomTensors, XavierWeightsStayWithinTheirBoundAndFillIt) {
  const tensor::Tensor weight = xavier_weight(30, 20, 2, Random(1, "w"));
  ASSERT_EQ(weight.shape(), (tensor::Shape{30, 20}));
  const double bound = std::sqrt(6.0 / 50.0);
  double largest = 0.0;
  double squares = 0.0;
  for (const float value : weight.values()) {
    ASSERT_TRUE(has_decimals(value, 2)) << value;
    largest = std::max(largest, std::abs(static_cast<double>(value)));
    squares += static_cast<double>(value) * static_cast<double>(value);
  }
  EXPECT_LE(largest, bound);
  EXPECT_GT(largest, 0.9 * bound);
  EXPECT_NEAR(squares / 600.0, bound * bound / 3.0, 0.15 * bound * bound / 3.0);
}

TEST(RandomTensors, MoreDecimalsAreFiner) {
  const tensor::Tensor weight = xavier_weight(64, 64, 3, Random(1, "w"));
  std::set<float> values;
  for (const float value : weight.values()) {
    ASSERT_TRUE(has_decimals(value, 3)) << value;
    values.insert(value);
  }
  EXPECT_GT(values.size(), 300U);
}

TEST(RandomTensors, WeightsOfOneAttentionAreFourDifferentOnes) {
  const model::Tensors weights = random_weights(parameters_of(8, 1), 2, true, "attention");
  const std::set<std::vector<float>> different = {
      weights["q_proj_weight"].values(), weights["k_proj_weight"].values(),
      weights["v_proj_weight"].values(), weights["out_proj_weight"].values(),
      weights["q_proj_bias"].values(),   weights["k_proj_bias"].values(),
      weights["v_proj_bias"].values(),   weights["out_proj_bias"].values()};
  EXPECT_EQ(different.size(), 8U);
  EXPECT_EQ(weights["q_proj_weight"].shape(), (tensor::Shape{8, 8}));
  EXPECT_EQ(weights["q_proj_bias"].shape(), (tensor::Shape{8}));
  for (const float bias : weights["out_proj_bias"].values()) {
    EXPECT_TRUE(has_decimals(bias, 2));
    EXPECT_LE(std::abs(bias), 0.1F);
  }
}

TEST(RandomTensors, WithoutBiasThereIsNone) {
  const model::Tensors weights = random_weights(parameters_of(4, 1), 2, false, "attention");
  EXPECT_TRUE(weights["out_proj_weight"].defined());
  EXPECT_FALSE(weights["q_proj_bias"].defined());
  EXPECT_FALSE(weights["k_proj_bias"].defined());
  EXPECT_FALSE(weights["v_proj_bias"].defined());
  EXPECT_FALSE(weights["out_proj_bias"].defined());
}

TEST(RandomTensors, AttentionsOfOtherNamesHaveOtherWeights) {
  EXPECT_NE(random_weights(parameters_of(4, 1), 2, false, "encoder")["q_proj_weight"].values(),
            random_weights(parameters_of(4, 1), 2, false, "decoder")["q_proj_weight"].values());
  EXPECT_NE(random_weights(parameters_of(4, 1), 2, false, "encoder")["q_proj_weight"].values(),
            random_weights(parameters_of(4, 2), 2, false, "encoder")["q_proj_weight"].values());
}

}  // namespace
}  // namespace lesson
