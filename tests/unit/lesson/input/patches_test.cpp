#include "lesson/input/patches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace lesson {
namespace {

using Bytes = std::vector<std::uint8_t>;

/// RGBA of `colour_at(x, y)`, which returns four bytes.
template <typename ColourAt>
Bytes rgba_of(std::size_t width, std::size_t height, ColourAt colour_at) {
  Bytes bytes;
  for (std::size_t y = 0; y < height; ++y) {
    for (std::size_t x = 0; x < width; ++x) {
      const std::array<std::uint8_t, 4> colour = colour_at(x, y);
      bytes.insert(bytes.end(), colour.begin(), colour.end());
    }
  }
  return bytes;
}

Bytes small(const Bytes& rgba, std::size_t width, std::size_t height) {
  auto rgb = picture_from_rgba(rgba, width, height);
  EXPECT_TRUE(rgb) << rgb.error().message;
  return rgb ? *std::move(rgb) : Bytes(picture_bytes);
}

std::array<int, 3> pixel(const Bytes& rgb, std::size_t x, std::size_t y) {
  const std::size_t at = (y * picture_width + x) * 3;
  return {rgb[at], rgb[at + 1], rgb[at + 2]};
}

std::string error_of(const Bytes& rgba, std::size_t width, std::size_t height) {
  const auto rgb = picture_from_rgba(rgba, width, height);
  EXPECT_FALSE(rgb);
  return rgb ? "" : rgb.error().message;
}

std::uint8_t byte(std::size_t value) { return static_cast<std::uint8_t>(value); }

TEST(PictureFromRgba, OfTheRightSizeStaysAsItIs) {
  const Bytes rgba = rgba_of(24, 24, [](std::size_t x, std::size_t y) {
    return std::array{byte(x * 10), byte(y * 10), byte(x + y), byte(255)};
  });
  const Bytes rgb = small(rgba, 24, 24);
  ASSERT_EQ(rgb.size(), picture_bytes);
  for (std::size_t y = 0; y < 24; ++y) {
    for (std::size_t x = 0; x < 24; ++x) {
      EXPECT_EQ(pixel(rgb, x, y), (std::array<int, 3>{byte(x * 10), byte(y * 10), byte(x + y)}));
    }
  }
}

TEST(PictureFromRgba, KeepsTheSquareInTheMiddle) {
  // Wide, then high: a third on each side is black and is cut off.
  const auto wide = [](std::size_t x, std::size_t) {
    const bool middle = x >= 24 && x < 48;
    return std::array{byte(middle ? x * 5 : 0), byte(middle ? 200 : 0), byte(0), byte(255)};
  };
  const Bytes across = small(rgba_of(72, 24, wide), 72, 24);
  const Bytes down =
      small(rgba_of(24, 72, [&](std::size_t x, std::size_t y) { return wide(y, x); }), 24, 72);
  for (std::size_t i = 0; i < 24; ++i) {
    EXPECT_EQ(pixel(across, i, 7), (std::array<int, 3>{static_cast<int>((i + 24) * 5), 200, 0}));
    EXPECT_EQ(pixel(down, 7, i), (std::array<int, 3>{static_cast<int>((i + 24) * 5), 200, 0}));
  }
  // An odd pixel more on the right than on the left.
  const Bytes odd = small(rgba_of(27, 24,
                                  [](std::size_t x, std::size_t) {
                                    return std::array{byte(x), byte(0), byte(0), byte(255)};
                                  }),
                          27, 24);
  EXPECT_EQ(pixel(odd, 0, 0)[0], 1);
  EXPECT_EQ(pixel(odd, 23, 0)[0], 24);
}

TEST(PictureFromRgba, AveragesWhatAPixelCovers) {
  // 36 pixels become 24: each covers one and a half. Columns go 0, 30, 60, …
  const Bytes rgb = small(rgba_of(36, 36,
                                  [](std::size_t x, std::size_t y) {
                                    return std::array{byte(x % 8 * 30), byte(y % 8 * 30),
                                                      byte((x + y) % 2 * 255), byte(255)};
                                  }),
                          36, 36);
  EXPECT_EQ(pixel(rgb, 0, 0)[0], 10);  // (0 + 30 / 2) / 1.5
  EXPECT_EQ(pixel(rgb, 1, 0)[0], 50);  // (30 / 2 + 60) / 1.5
  EXPECT_EQ(pixel(rgb, 0, 1)[1], 50);
  EXPECT_EQ(pixel(rgb, 0, 0)[2], 113);  // 255 · (1/2 + 1/2) / 2.25 = 113.3
}

/// The mean of each pixel's area by the definition, in double.
int mean(const Bytes& rgba, std::size_t side, std::size_t place_x, std::size_t place_y,
         std::size_t colour) {
  const double step = static_cast<double>(side) / 24.0;
  const auto covered = [&](std::size_t place, std::size_t of) {
    const auto from = static_cast<double>(of);
    const double begin = step * static_cast<double>(place);
    return std::max(0.0, std::min(from + 1.0, begin + step) - std::max(from, begin));
  };
  double sum = 0.0;
  for (std::size_t y = 0; y < side; ++y) {
    for (std::size_t x = 0; x < side; ++x)
      sum += covered(place_x, x) * covered(place_y, y) * rgba[(y * side + x) * 4 + colour];
  }
  return static_cast<int>(std::lround(sum / (step * step)));
}

TEST(PictureFromRgba, IsTheMeanOfTheAreaForEverySize) {
  for (const std::size_t side : {1U, 2U, 5U, 23U, 25U, 31U, 49U}) {
    const Bytes rgba = rgba_of(side, side, [](std::size_t x, std::size_t y) {
      return std::array{byte(x * 37 + y * 11), byte(x * y * 7), byte(x * x + y * 3), byte(255)};
    });
    const Bytes rgb = small(rgba, side, side);
    for (std::size_t y = 0; y < 24; y += 5) {
      for (std::size_t x = 0; x < 24; ++x) {
        for (std::size_t colour = 0; colour < 3; ++colour)
          EXPECT_NEAR(pixel(rgb, x, y)[colour], mean(rgba, side, x, y, colour), 1) << side;
      }
    }
  }
}

TEST(PictureFromRgba, WhiteShinesThroughWhatIsTransparent) {
  const auto half = [](std::size_t x, std::size_t) {
    return std::array{byte(100), byte(0), byte(255), byte(x < 12 ? 0 : 51)};
  };
  const Bytes rgb = small(rgba_of(24, 24, half), 24, 24);
  EXPECT_EQ(pixel(rgb, 0, 0), (std::array<int, 3>{255, 255, 255}));
  EXPECT_EQ(pixel(rgb, 20, 0), (std::array<int, 3>{224, 204, 255}));  // a fifth of it
}

TEST(PictureFromRgba, OneColourStaysThatColourAtTheLargestSize) {
  const std::size_t side = largest_picture_side;
  const Bytes rgba(side * 30 * 4, 255);  // a strip: 30 pixels high
  EXPECT_EQ(small(rgba, side, 30), Bytes(picture_bytes, 255));
  EXPECT_EQ(small(rgba, 30, side), Bytes(picture_bytes, 255));
}

TEST(PictureFromRgba, WhatIsNoPictureIsASentence) {
  EXPECT_EQ(error_of({}, 0, 5), "The picture has 0 × 5 pixels; each side must be from 1 to 8192.");
  EXPECT_EQ(error_of({}, 8193, 5),
            "The picture has 8193 × 5 pixels; each side must be from 1 to 8192.");
  EXPECT_EQ(error_of(Bytes(15), 2, 2), "The picture has 15 bytes; 2 × 2 pixels must have 16.");
  EXPECT_FALSE(picture_from_rgba({}, ~std::size_t{0}, ~std::size_t{0}));
}

TEST(PictureOf, TakesExactlyTheBytesOfAPicture) {
  const auto picture = picture_of(Bytes(picture_bytes, 7));
  ASSERT_TRUE(picture);
  EXPECT_EQ(picture->width * picture->height * 3, picture->rgb.size());
  EXPECT_EQ(picture->patches_per_row() * picture->patches_per_column(), picture_patches);
  for (const std::size_t count : {std::size_t{0}, picture_bytes - 1, picture_bytes + 1})
    EXPECT_FALSE(picture_of(Bytes(count)));
}

// Every byte says in its three colours where it stands, so that a cell says where it came from.
TEST(PatchesOf, AreColourByColourAndRowByRow) {
  Bytes rgb;
  for (std::size_t y = 0; y < 24; ++y) {
    for (std::size_t x = 0; x < 24; ++x) rgb.insert(rgb.end(), {byte(x), byte(y), byte(255)});
  }
  const auto picture = picture_of(rgb);
  ASSERT_TRUE(picture);
  const tensor::Tensor patches = patches_of(*picture);
  ASSERT_EQ(patches.shape(), (tensor::Shape{1, picture_patches, patch_numbers}));
  for (std::size_t patch = 0; patch < 36; ++patch) {
    for (std::size_t place = 0; place < 16; ++place) {
      const std::size_t x = patch % 6 * 4 + place % 4;
      const std::size_t y = patch / 6 * 4 + place / 4;
      EXPECT_NEAR(patches.at({0, patch, place}), (static_cast<float>(x) - 127.5F) / 127.5F, 0.005F);
      EXPECT_NEAR(patches.at({0, patch, 16 + place}), (static_cast<float>(y) - 127.5F) / 127.5F,
                  0.005F);
      EXPECT_EQ(patches.at({0, patch, 32 + place}), 1.0F);
    }
  }
}

TEST(PatchesOf, GoFromMinusOneToOneWithTwoDecimals) {
  for (int value = 0; value < 256; ++value) {
    const auto picture = picture_of(Bytes(picture_bytes, static_cast<std::uint8_t>(value)));
    ASSERT_TRUE(picture);
    const float number = patches_of(*picture).at({0, 0, 0});
    const double exact = (value - 127.5) / 127.5;
    EXPECT_EQ(number, static_cast<float>(std::lround(exact * 100.0)) / 100.0F) << value;
  }
}

TEST(PatchNames, SayRowAndColumn) {
  const auto picture = picture_of(Bytes(picture_bytes));
  ASSERT_TRUE(picture);
  const std::vector<std::string> names = patch_names(*picture);
  ASSERT_EQ(names.size(), picture_patches);
  EXPECT_EQ(names[0], "r0c0");
  EXPECT_EQ(names[1], "r0c1");
  EXPECT_EQ(names[6], "r1c0");
  EXPECT_EQ(names[35], "r5c5");
}

}  // namespace
}  // namespace lesson
