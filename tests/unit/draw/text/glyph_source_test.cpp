#include "draw/text/glyph_source.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "draw/headless.hpp"
#include "draw/text/shaped_runs.hpp"

namespace draw {
namespace {

constexpr char32_t han = U'\u6F22';
using Asked = std::set<std::string, std::less<>>;

/// Draws one Han character, one Hebrew word and one emoji as a box of 0.8 × 0.9 em, and nothing
/// else.
struct OneLetter {
  Asked* asked;

  bool operator()(std::string_view text, float size, Glyph& glyph) const {
    asked->emplace(text);
    if (text != "\u6F22" && text != "שלום" && text != "👩\u200D🔬") return false;
    glyph.width = static_cast<int>(0.8F * size);
    glyph.height = static_cast<int>(0.9F * size);
    glyph.left = 0.1F * size;
    glyph.top = 0.8F * size;
    glyph.advance = 1.25F * size;
    glyph.pixels.assign(std::size_t{4} * static_cast<std::size_t>(glyph.width * glyph.height), 200);
    glyph.coloured = text == "👩\u200D🔬";
    return true;
  }
};

/// The code point of a text of three bytes.
char32_t only_letter(std::string_view text) {
  EXPECT_EQ(text.size(), 3U) << text;
  const auto bits = [&](std::size_t at) { return static_cast<unsigned char>(text[at]) & 0x3FU; };
  return (bits(0) & 0x0FU) << 12U | bits(1) << 6U | bits(2);
}

TEST(GlyphSource, DrawsWhatTheFontsLack) {
  Asked asked;
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
  EXPECT_TRUE(asked.contains("\u6F22"));
}

TEST(GlyphSource, IsNotAskedForWhatTheFontsHave) {
  Asked asked;
  const Headless headless(OneLetter{&asked});
  const Type& type = headless.type;
  for (ImFont* font : {type.words, type.strong})
    EXPECT_GT(measure(font, 14.0F, "abc \u00DF \u2212 \u221A \u00E9 \u2026 0.5").x, 0.0F);
  EXPECT_GT(measure(type.numbers, 14.0F, "q_heads[0, 1] softmax \u2212 \u221A \u2026 \u221E 0.5").x,
            0.0F);
  EXPECT_GT(measure(type.strong_numbers, 14.0F, "+\u22120.25e-07, \u2212\u221E NaN inf (1)").x,
            0.0F);
  EXPECT_EQ(asked, Asked{});
}

TEST(GlyphSource, MayHaveNoSuchLetterEither) {
  Asked asked;
  const Headless headless(OneLetter{&asked});
  ImFont* font = headless.type.words;
  EXPECT_EQ(font->GetFontBaked(14.0F)->FindGlyphNoFallback(0x0E01), nullptr);  // Thai
  EXPECT_TRUE(asked.contains("\u0E01"));
  EXPECT_GT(measure(font, 14.0F, "\u0E01").x, 0.0F);  // a box
}

TEST(GlyphSource, DrawsARunAsOneGlyph) {
  Asked asked;
  const Headless headless(OneLetter{&asked});
  ImFont* font = headless.type.words;
  const float letters = measure(font, 16.0F, "row 0 ").x;
  EXPECT_NEAR(measure(font, 16.0F, "row 0 שלום").x, letters + 20.0F, 0.01F);
  EXPECT_NEAR(measure(font, 16.0F, "👩\u200D🔬").x, 20.0F, 0.01F);
  EXPECT_TRUE(asked.contains("שלום"));
  EXPECT_FALSE(asked.contains("ש"));
}

TEST(GlyphSource, KeepsTheColoursOfAnEmojiOnly) {
  Asked asked;
  const Headless headless(OneLetter{&asked});
  ImFont* font = headless.type.words;
  const auto glyph = [&](std::string_view text) {
    return font->GetFontBaked(20.0F)->FindGlyphNoFallback(
        static_cast<ImWchar>(only_letter(with_runs(text))));
  };
  ASSERT_NE(glyph("👩\u200D🔬"), nullptr);
  EXPECT_TRUE(glyph("👩\u200D🔬")->Colored);
  ASSERT_NE(glyph("שלום"), nullptr);
  EXPECT_FALSE(glyph("שלום")->Colored);
}

}  // namespace
}  // namespace draw
