#include "platform/surface.hpp"

#include <gtest/gtest.h>

namespace {

using platform::Surface;
using platform::surface_of;

TEST(Surface, WholeRatios) {
  const Surface one = surface_of(1280, 800, 1.0F);
  EXPECT_EQ(one.width, 1280.0F);
  EXPECT_EQ(one.height, 800.0F);
  const Surface two = surface_of(780, 1688, 2.0F);
  EXPECT_EQ(two.width, 390.0F);
  EXPECT_EQ(two.height, 844.0F);
  EXPECT_EQ(two.framebuffer_width, 780);
  EXPECT_EQ(two.pixel_ratio, 2.0F);
}

TEST(Surface, AMinimisedWindowHasNoSize) { EXPECT_EQ(surface_of(0, 0, 1.25F).width, 0.0F); }

// ImGui's renderer gets its viewport from logical size × ratio, cut off.
TEST(Surface, EveryDevicePixelComesBack) {
  for (const float ratio :
       {0.3F, 0.5F, 0.67F, 0.9F, 1.1F, 1.25F, 1.3333334F, 1.5F, 1.75F, 2.625F, 3.0F, 3.3F}) {
    for (int pixels = 1; pixels < 4000; ++pixels) {
      const float width = surface_of(pixels, 1, ratio).width;
      ASSERT_EQ(static_cast<int>(width * ratio), pixels) << "ratio " << ratio;
      ASSERT_NEAR(width, static_cast<float>(pixels) / ratio, 1e-3F * width);
    }
  }
}

}  // namespace
