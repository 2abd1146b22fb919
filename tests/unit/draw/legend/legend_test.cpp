#include "draw/legend/legend.hpp"

#include <gtest/gtest.h>

#include "stage/scene/number_text.hpp"
#include "stage/scenes.hpp"

namespace draw {
namespace {

using stage::Block;
using stage::Colouring;

constexpr stage::Rect place{24.0F, 700.0F, 320.0F, 40.0F};

Block with_range(float range) {
  Block block;
  block.range = range;
  return block;
}

Block weights() {
  Block block;
  block.colouring = Colouring::weights;
  return block;
}

TEST(Bar, GoesEvenlyFromOneEndToTheOther) {
  for (const float range : {1.0F, 0.0762F, 123.0F, 1e-20F}) {
    Legend legend;
    const tensor::Tensor matrix = legend.matrix(with_range(range));
    ASSERT_EQ(matrix.rank(), 2U);
    ASSERT_EQ(matrix.dim(0), 1U);
    const std::vector<float> values = matrix.values();
    ASSERT_EQ(values.size() % 2, 1U);
    EXPECT_EQ(values.front(), -range);
    EXPECT_EQ(values.back(), range);
    EXPECT_NEAR(values[values.size() / 2], 0.0F, 1e-6F * range);  // zero is in the middle
    for (std::size_t i = 1; i < values.size(); ++i) EXPECT_GT(values[i], values[i - 1]);
  }
}

TEST(Bar, OfWeightsIsOneSided) {
  Legend legend;
  const std::vector<float> values = legend.matrix(weights()).values();
  EXPECT_EQ(values.front(), 0.0F);
  EXPECT_EQ(values.back(), 1.0F);
}

TEST(Bar, LiesInItsPlace) {
  const stage::Rect bar = Legend::bar_place(place);
  EXPECT_TRUE(stage::inside(bar, place));
  EXPECT_EQ(bar.width, place.width);
  EXPECT_GT(bar.height, 4.0F);
}

// Numbers that stay are not sent to the graphics card again.
TEST(Bar, KeepsItsStorageWhileTheRangeStays) {
  Legend legend;
  const std::uint64_t first = legend.matrix(with_range(2.0F)).storage_id();
  EXPECT_EQ(legend.matrix(with_range(2.0F)).storage_id(), first);
  EXPECT_NE(legend.matrix(with_range(2.5F)).storage_id(), first);
  EXPECT_EQ(legend.matrix(with_range(2.0F)).values().back(), 2.0F);
}

TEST(Ends, AreTheRange) {
  EXPECT_EQ(Legend::ends(with_range(1.0F)).low, "\u22121.00");
  EXPECT_EQ(Legend::ends(with_range(1.0F)).high, "1.00");
  EXPECT_EQ(Legend::ends(with_range(0.0762F)).high, "0.0762");
  EXPECT_EQ(Legend::ends(weights()).low, "0");
  EXPECT_EQ(Legend::ends(weights()).high, "1.00");
}

// The legend has the true range of what it explains: never 0.00 at both ends of a scale of small
// numbers.
TEST(Ends, SayTheLargestNumberOfEveryMatrix) {
  for (const stage::Scene* scene : stage::all_scenes()) {
    for (const document::ViewState& view_state : stage::looks_at(*scene)) {
      for (const Block& block :
           stage::lay_out(scene->attention, view_state, stage::page.space()).blocks) {
        const auto [low, high] = Legend::ends(block);
        float lowest = 99.0F;
        float highest = 99.0F;
        ASSERT_TRUE(stage::parse_number(low, lowest)) << low;
        ASSERT_TRUE(stage::parse_number(high, highest)) << high;
        EXPECT_NEAR(highest, block.range, 0.00501F * block.range) << high;
        EXPECT_EQ(lowest, block.colouring == Colouring::weights ? 0.0F : -highest) << low;
      }
    }
  }
  EXPECT_EQ(Legend::ends(with_range(0.004F)).high, "0.00400");
  EXPECT_EQ(Legend::ends(with_range(3e-9F)).low, "\u22123.00e\u22129");
}

// Between −1 and 1, as an empty scale has it, there is nothing in a mask of 0 and −∞.
TEST(Legend, IsLeftOutWhereNothingHasAColour) {
  constexpr float hidden = -std::numeric_limits<float>::infinity();
  stage::Block mask = with_range(1.0F);
  mask.matrix = tensor::Tensor({1, 3}, {0.0F, hidden, hidden});
  EXPECT_FALSE(Legend::is_needed(mask));
  mask.matrix = tensor::Tensor({1, 3}, {0.0F, hidden, -1.0F});
  EXPECT_TRUE(Legend::is_needed(mask));
  mask.matrix = tensor::Tensor({1, 3}, {0.0F, hidden, hidden});
  mask.range = 2.0F;  // of another part of the tensor
  EXPECT_TRUE(Legend::is_needed(mask));
  EXPECT_TRUE(Legend::is_needed(weights()));
}

}  // namespace
}  // namespace draw
