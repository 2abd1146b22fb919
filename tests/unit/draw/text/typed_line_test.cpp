#include "draw/text/typed_line.hpp"

#include <gtest/gtest.h>

#include <string>

#include "draw/headless.hpp"

namespace draw {
namespace {

/// Where letters are drawn as wide as they are many.
bool ten_each(std::string_view text, float size, Glyph& glyph) {
  std::size_t count = 0;
  for (const char byte : text) count += (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U ? 1 : 0;
  glyph.advance = size * static_cast<float>(count);
  glyph.width = glyph.height = 1;
  glyph.pixels.assign(4, 255);
  return true;
}

TypedLine line_of(const Headless& headless, std::string_view text) {
  return {headless.type.words, 10.0F, text};
}

TEST(TypedLine, OfRunsFromRightToLeftGrowsToTheLeft) {
  const Headless headless(ten_each);
  const TypedLine line = line_of(headless, "שלום");
  EXPECT_TRUE(line.to_left());
  EXPECT_NEAR(line.width(), 40.0F, 1.0F);
  for (std::size_t letter = 0; letter <= 4; ++letter) {
    const float x = line.caret(2 * letter);
    EXPECT_NEAR(x, 40.0F - 10.0F * static_cast<float>(letter), 1.0F);
    EXPECT_EQ(line.offset_at(x + 1.0F), 2 * letter);
  }
  EXPECT_TRUE(line.grows_left(8));
}

TEST(TypedLine, TheCaretIsBesideTheLetterBeforeIt) {
  const Headless headless(ten_each);
  const std::string text = "ab שלום";
  const TypedLine line = line_of(headless, text);
  EXPECT_FALSE(line.to_left());
  const float before = line.caret(3);
  EXPECT_FALSE(line.grows_left(3));
  // After the first letter, it stands left of it; all to the right is Hebrew.
  EXPECT_NEAR(line.caret(5), before + 30.0F, 1.0F);
  EXPECT_NEAR(line.caret(text.size()), before, 1.0F);
  EXPECT_TRUE(line.grows_left(text.size()));
  EXPECT_NEAR(line.caret(0), 0.0F, 0.01F);
}

TEST(TypedLine, TheWordsOfALineToTheLeftFollowEachOther) {
  const Headless headless(ten_each);
  const std::string text = "שלום עולם";
  const TypedLine line = line_of(headless, text);
  float last = line.width() + 1.0F;
  for (std::size_t offset = 0; offset <= text.size(); offset += text[offset] == ' ' ? 1 : 2) {
    EXPECT_LT(line.caret(offset), last) << offset;
    last = line.caret(offset);
  }
  EXPECT_NEAR(last, 0.0F, 1.0F);
  EXPECT_EQ(line.word(3), std::pair(std::size_t{0}, std::size_t{8}));
  EXPECT_EQ(line.word(12), std::pair(std::size_t{9}, text.size()));
  // From inside the first word into the second: a part of each, and the space between.
  const auto places = line.selected(4, 13);
  ASSERT_EQ(places.size(), 3U);
  for (const auto& [left, right] : places) EXPECT_LT(left, right);
}

}  // namespace
}  // namespace draw
