#include "draw/text/glyph_source.hpp"

#include <gtest/gtest.h>

#include <set>

#include "draw/headless.hpp"

namespace draw {
namespace {

constexpr char32_t han = U'\u6F22';

/// Draws one Han character as a box of 0.8 × 0.9 em, and no other letter.
struct OneLetter {
  std::set<char32_t>* asked;

  bool operator()(char32_t letter, float size, Glyph& glyph) const {
    asked->insert(letter);
    if (letter != han) return false;
    glyph.width = static_cast<int>(0.8F * size);
    glyph.height = static_cast<int>(0.9F * size);
    glyph.left = 0.1F * size;
    glyph.top = 0.8F * size;
    glyph.advance = 1.25F * size;
    glyph.coverage.assign(
        static_cast<std::size_t>(glyph.width) * static_cast<std::size_t>(glyph.height), 200);
    return true;
  }
};

TEST(GlyphSource, DrawsWhatTheFontsLack) {
  std::set<char32_t> asked;
  const Headless headless(OneLetter{&asked});
  for (ImFont* font : {headless.type.words, headless.type.strong, headless.type.numbers}) {
    EXPECT_NEAR(measure(font, 16.0F, "\u6F22").x, 20.0F, 0.01F);
    EXPECT_NEAR(measure(font, 32.0F, "\u6F22\u6F22").x, 80.0F,
                0.01F);  // sharp at every size: asked for again
    const ImFontGlyph* glyph =
        font->GetFontBaked(20.0F)->FindGlyphNoFallback(static_cast<ImWchar>(han));
    ASSERT_NE(glyph, nullptr);
    EXPECT_NEAR(glyph->X1 - glyph->X0, 16.0F, 0.01F);
    EXPECT_NEAR(glyph->Y1 - glyph->Y0, 18.0F, 0.01F);
    EXPECT_NEAR(glyph->X0, 2.0F, 0.01F);
    EXPECT_EQ(glyph->Codepoint, static_cast<unsigned>(han));
  }
  EXPECT_TRUE(asked.contains(han));
}

TEST(GlyphSource, IsNotAskedForWhatTheFontsHave) {
  std::set<char32_t> asked;
  const Headless headless(OneLetter{&asked});
  const Type& type = headless.type;
  for (ImFont* font : {type.words, type.strong})
    EXPECT_GT(measure(font, 14.0F, "abc \u00DF \u2212 \u221A \u00E9 \u2026 0.5").x, 0.0F);
  for (ImFont* font : {type.numbers, type.strong_numbers})
    EXPECT_GT(measure(font, 14.0F, "q_heads[0, 1] softmax \u2212 \u221A \u2026 \u221E 0.5").x,
              0.0F);
  EXPECT_EQ(asked, std::set<char32_t>{});
}

TEST(GlyphSource, MayHaveNoSuchLetterEither) {
  std::set<char32_t> asked;
  const Headless headless(OneLetter{&asked});
  ImFont* font = headless.type.words;
  EXPECT_EQ(font->GetFontBaked(14.0F)->FindGlyphNoFallback(0x0E01), nullptr);  // Thai
  EXPECT_TRUE(asked.contains(0x0E01));
  EXPECT_GT(measure(font, 14.0F, "\u0E01").x, 0.0F);  // a box
}

}  // namespace
}  // namespace draw
