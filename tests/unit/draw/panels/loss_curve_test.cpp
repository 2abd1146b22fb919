#include "draw/panels/training/loss_curve.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace draw {
namespace {

// Also where the loss exploded: labels are 10.5 pixels high.
TEST(LossCurve, LabelsDoNotTouch) {
  for (const float height : {40.0F, 60.0F, 72.0F, 300.0F}) {
    for (const double largest : {2.0, 40.0, 1000.0, 1e6}) {
      const std::vector<int> powers = labelled_powers(height, largest);
      ASSERT_FALSE(powers.empty()) << height << " " << largest;
      const double decade = static_cast<double>(height) / std::log10(largest / 0.001);
      for (std::size_t i = 1; i < powers.size(); ++i)
        EXPECT_GE(decade * (powers[i] - powers[i - 1]), 12.0) << height << " " << largest;
      EXPECT_GE(decade * (powers.front() + 3), 5.0) << height << " " << largest;
      EXPECT_LT(std::pow(10.0, powers.back()), largest);
    }
  }
  EXPECT_EQ(labelled_powers(60.0F, 2.0), (std::vector<int>{-2, -1, 0}));
}

}  // namespace
}  // namespace draw
