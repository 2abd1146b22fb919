#include <cmath>
#include <vector>

#include "ops/uses.hpp"

namespace ops {
namespace {

Tensor biases(std::size_t heads, std::size_t queries, std::size_t keys) {
  return made_by(alibi, use_of({H, Lq, Lk}, {{Tensor({2, heads, queries, keys}), {B, H, Lq, Lk}}}));
}

std::vector<float> slopes(std::size_t heads) {
  const Tensor bias = biases(heads, 2, 2);
  std::vector<float> found;
  for (std::size_t head = 0; head < heads; ++head) found.push_back(-bias.at({head, 1, 0}));
  return found;
}

TEST(Alibi, SlopesOfThePaper) {
  EXPECT_EQ(slopes(1), (std::vector<float>{1 / 256.0F}));
  EXPECT_EQ(slopes(4), (std::vector<float>{0.25F, 0.0625F, 0.015625F, 0.00390625F}));
  EXPECT_EQ(slopes(8).front(), 0.5F);
  EXPECT_EQ(slopes(8).back(), 1 / 256.0F);
  EXPECT_NEAR(slopes(16).front(), std::sqrt(0.5F), 1e-7);
}

TEST(Alibi, OtherNumbersOfHeadsTakeEveryOtherSlopeOfTwiceAsMany) {
  EXPECT_EQ(slopes(3), (std::vector<float>{0.0625F, 0.00390625F, 0.25F}));
  const std::vector<float> twelve = slopes(12);
  const std::vector<float> eight = slopes(8);
  const std::vector<float> sixteen = slopes(16);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ(twelve[i], eight[i]);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(twelve[8 + i], sixteen[2 * i]);
}

TEST(Alibi, GrowsWithTheDistanceInBothDirections) {
  expect_values(biases(1, 2, 4).select(0, 0), {0, -1 / 256.0F, -2 / 256.0F, -3 / 256.0F,
                                               -1 / 256.0F, 0, -1 / 256.0F, -2 / 256.0F});
  EXPECT_FALSE(std::signbit(biases(1, 1, 1).at({0, 0, 0})));
}

}  // namespace
}  // namespace ops
