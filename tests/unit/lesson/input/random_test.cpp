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

TEST(Random, SameSeedAndNameGiveTheSameBits) {
  Random a(7, "word.fox");
  Random b(7, "word.fox");
  for (int i = 0; i < 100; ++i) EXPECT_EQ(a.bits(), b.bits());
}

TEST(Random, EverySeedAndEveryNameHasAStreamOfItsOwn) {
  std::set<std::uint64_t> first;
  for (const std::uint32_t seed : {0U, 1U, 2U, 0xffffffffU}) {
    for (const char* name : {"", "a", "b", "ab", "ba", "word.fox", "word.Fox"}) {
      first.insert(Random(seed, name).bits());
    }
  }
  EXPECT_EQ(first.size(), 4U * 7U);
}

// Known numbers, so that a link says the same on every machine: natively, in the browser, next
// year.
TEST(Random, IsTheSameOnEveryMachine) {
  Random random(1, "attention.q_proj_weight");
  const std::vector<std::int32_t> expected = {-987, 63, -658, -601, -405, -339, -989, -855};
  for (const std::int32_t number : expected) EXPECT_EQ(random.whole(1000), number);
}

TEST(Random, WholeNumbersCoverTheirRangeEvenly) {
  Random random(3, "dice");
  std::vector<int> counts(7, 0);
  for (int i = 0; i < 70'000; ++i) {
    const std::int32_t number = random.whole(3);
    ASSERT_GE(number, -3);
    ASSERT_LE(number, 3);
    const std::int32_t place = number + 3;
    ++counts[static_cast<std::size_t>(place)];
  }
  // Standard deviation of each count is 93.
  for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
  EXPECT_EQ(random.whole(0), 0);
}

TEST(Random, NormalNumbersHaveMeanZeroVarianceOneAndTwoDecimals) {
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

TEST(Random, XavierWeightsStayWithinTheirBoundAndFillIt) {
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

TEST(Random, MoreDecimalsAreFiner) {
  const tensor::Tensor weight = xavier_weight(64, 64, 3, Random(1, "w"));
  std::set<float> values;
  for (const float value : weight.values()) {
    ASSERT_TRUE(has_decimals(value, 3)) << value;
    values.insert(value);
  }
  EXPECT_GT(values.size(), 300U);
}

TEST(Random, WeightsOfOneAttentionAreFourDifferentOnes) {
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

TEST(Random, WithoutBiasThereIsNone) {
  const model::Tensors weights = random_weights(parameters_of(4, 1), 2, false, "attention");
  EXPECT_TRUE(weights["out_proj_weight"].defined());
  EXPECT_FALSE(weights["q_proj_bias"].defined());
  EXPECT_FALSE(weights["k_proj_bias"].defined());
  EXPECT_FALSE(weights["v_proj_bias"].defined());
  EXPECT_FALSE(weights["out_proj_bias"].defined());
}

TEST(Random, AttentionsOfOtherNamesHaveOtherWeights) {
  EXPECT_NE(random_weights(parameters_of(4, 1), 2, false, "encoder")["q_proj_weight"].values(),
            random_weights(parameters_of(4, 1), 2, false, "decoder")["q_proj_weight"].values());
  EXPECT_NE(random_weights(parameters_of(4, 1), 2, false, "encoder")["q_proj_weight"].values(),
            random_weights(parameters_of(4, 2), 2, false, "encoder")["q_proj_weight"].values());
}

}  // namespace
}  // namespace lesson
