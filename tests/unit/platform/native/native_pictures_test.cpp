#include "platform/native/native_pictures.hpp"

#include <gtest/gtest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <initializer_list>

#include "platform/native/native_files.hpp"

namespace platform {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of(const std::string& text) { return {text.begin(), text.end()}; }

/// Two by one: red, and half transparent blue.
Bytes small_png() {
  const std::array<unsigned char, 8> pixels = {255, 0, 0, 255, 0, 0, 255, 128};
  return bytes_of(png_of(2, 1, pixels));
}

std::string refused(const Bytes& bytes, const std::string& name = "x.png") {
  const auto picture = decode_picture(bytes, name);
  EXPECT_FALSE(picture);
  return picture ? "" : picture.error().message;
}

void expect_red(const Bytes& file) {
  const auto picture = decode_picture(file, "red");
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(picture->width, 1U);
  EXPECT_EQ(picture->height, 1U);
  EXPECT_EQ(picture->rgba, (Bytes{255, 0, 0, 255}));
}

TEST(NativePictures, PngKeepsItsTransparency) {
  const auto picture = decode_picture(small_png(), "x.png");
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(picture->width, 2U);
  EXPECT_EQ(picture->height, 1U);
  EXPECT_EQ(picture->rgba, (Bytes{255, 0, 0, 255, 0, 0, 255, 128}));
}

TEST(NativePictures, BmpAndGif) {
  // One red pixel of 24 bits: file header, BITMAPINFOHEADER, blue, green, red and a byte of
  // padding.
  expect_red({'B', 'M', 58, 0, 0, 0, 0, 0, 0,  0, 54, 0, 0, 0, 40, 0, 0,   0, 1, 0,
              0,   0,   1,  0, 0, 0, 1, 0, 24, 0, 0,  0, 0, 0, 4,  0, 0,   0, 0, 0,
              0,   0,   0,  0, 0, 0, 0, 0, 0,  0, 0,  0, 0, 0, 0,  0, 255, 0});
  // The same with a palette of red and black; LZW codes of three bits: clear, 0, end.
  expect_red({'G', 'I', 'F', '8', '9', 'a', 1, 0, 1, 0, 0x80, 0, 0, 255,  0,    0, 0,  0,
              0,   ',', 0,   0,   0,   0,   1, 0, 1, 0, 0,    2, 2, 0x44, 0x01, 0, ';'});
}

TEST(NativePictures, WhatIsNoneIsSaid) {
  const std::string sentence =
      "“x.txt” is not a picture this program can read; PNG, JPEG, BMP and GIF are.";
  EXPECT_EQ(refused(bytes_of("no picture at all"), "x.txt"), sentence);
  EXPECT_EQ(refused({}, "x.txt"), sentence);
  Bytes cut = small_png();
  cut.resize(45);
  EXPECT_EQ(refused(cut), "“x.png” is damaged: it cannot be read to its end.");
}

TEST(NativePictures, ThatAreTooLargeAreNotDecoded) {
  Bytes wide = small_png();
  wide[18] = 0x20;  // the width's third byte of four
  wide[19] = 0x01;
  EXPECT_EQ(refused(wide), "“x.png” has 8193 × 1 pixels; at most 8192 × 8192 are allowed.");
  EXPECT_EQ(refused(Bytes(largest_picture_file + 1)),
            "“x.png” is larger than 32 MiB; take a smaller picture.");
}

TEST(NativePictures, AreReadFromFiles) {
  const auto path = std::filesystem::path(testing::TempDir()) / "own picture.png";
  const Bytes png = small_png();
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(png.data()), static_cast<std::streamsize>(png.size()));
  const auto picture = read_picture_file(path.string());
  ASSERT_TRUE(picture) << picture.error().message;
  EXPECT_EQ(picture->rgba.size(), 8U);
  std::filesystem::remove(path);
  for (const auto& missing : {path, std::filesystem::path(testing::TempDir())}) {
    const auto nothing = read_picture_file(missing.string());
    ASSERT_FALSE(nothing);
    EXPECT_NE(nothing.error().message.find("cannot be opened"), std::string::npos);
  }
}

}  // namespace
}  // namespace platform
