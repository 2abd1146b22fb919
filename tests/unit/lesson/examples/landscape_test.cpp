#include "lesson/examples/examples.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "lesson/input/patches.hpp"

namespace lesson {
namespace {

std::array<int, 3> pixel_of(const std::vector<std::uint8_t>& rgb, std::size_t x, std::size_t y) {
  const std::size_t at = (y * picture_width + x) * 3;
  return {rgb[at], rgb[at + 1], rgb[at + 2]};
}

TEST(Landscape, HasSkySunRoofWallHillsAndMeadow) {
  const std::vector<std::uint8_t> rgb = landscape();
  ASSERT_EQ(rgb.size(), picture_bytes);
  const auto [sky_red, sky_green, sky_blue] = pixel_of(rgb, 0, 0);
  EXPECT_TRUE(sky_blue > sky_green && sky_green > sky_red);
  EXPECT_EQ(pixel_of(rgb, 19, 3), (std::array<int, 3>{255, 216, 64}));
  EXPECT_EQ(pixel_of(rgb, 7, 10), (std::array<int, 3>{196, 64, 48}));
  EXPECT_EQ(pixel_of(rgb, 4, 13), (std::array<int, 3>{240, 226, 200}));
  EXPECT_EQ(pixel_of(rgb, 5, 14), (std::array<int, 3>{90, 130, 190}));
  for (const std::size_t x : {0U, 22U}) {
    const auto [red, green, blue] = pixel_of(rgb, x, 17);
    EXPECT_TRUE(green > red && green > blue) << x;
  }
  EXPECT_EQ(pixel_of(rgb, 1, 22), (std::array<int, 3>{250, 240, 250}));
}

TEST(Landscape, HasPatchesThatAreAlikeAndPatchesThatAreNot) {
  const tensor::Tensor patches = patches_of(*picture_of(landscape()));
  std::set<std::vector<float>> different;
  for (std::size_t patch = 0; patch < picture_patches; ++patch)
    different.insert(patches.select(0, 0).select(0, patch).values());
  EXPECT_GE(different.size(), 15U);
  EXPECT_LE(different.size(), 25U);
  // The whole last row is one patch again and again.
  for (std::size_t patch = 31; patch < 36; ++patch) {
    EXPECT_EQ(patches.select(0, 0).select(0, patch).values(),
              patches.select(0, 0).select(0, 30).values());
  }
}

}  // namespace
}  // namespace lesson
