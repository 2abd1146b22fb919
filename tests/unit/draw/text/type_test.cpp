#include "draw/text/type.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>

#include "draw/headless.hpp"
#include "draw/panels/widgets.hpp"
#include "evenly_spaced.hpp"
#include "lesson/steps/step.hpp"
#include "stage/scene/number_text.hpp"
#include "stage/scenes.hpp"

namespace draw {
namespace {

TEST(Measure, IsTheSumOfItsLetters) {
  const Headless headless;
  for (ImFont* font : {headless.type.words, headless.type.strong, headless.type.numbers,
                       headless.type.strong_numbers}) {
    EXPECT_EQ(measure(font, 14.0F, "").x, 0.0F);
    EXPECT_GT(measure(font, 14.0F, "a").x, 0.0F);
    EXPECT_NEAR(measure(font, 14.0F, "ab").x,
                measure(font, 14.0F, "a").x + measure(font, 14.0F, "b").x, 0.01F);
    EXPECT_GT(measure(font, 20.0F, "abc").x, measure(font, 14.0F, "abc").x);
    EXPECT_GT(measure(font, 14.0F, "abc").y, 10.0F);
  }
}

TEST(Fonts, SetNumbersInColumns) {
  const Headless headless;
  for (ImFont* font : {headless.type.numbers, headless.type.strong_numbers}) {
    const float width = measure(font, 13.0F, "0").x;
    for (const std::string_view glyph : {"1", "4", "9", ".", " ", "e", "-", "\u2212", "\u221E"}) {
      EXPECT_EQ(measure(font, 13.0F, glyph).x, width) << glyph;
    }
    EXPECT_NEAR(measure(font, 13.0F, stage::number_text(-0.125F, 3)).x, 6.0F * width, 0.01F);
  }
}

/// The code points of UTF-8 text.
std::u32string letters(std::string_view text) {
  std::u32string all;
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (code < 0x80) {
      all += code;
    } else if (code >= 0xC0) {
      all += static_cast<char32_t>(code & (code < 0xE0 ? 0x1FU : code < 0xF0 ? 0x0FU : 0x07U));
    } else {
      all.back() = all.back() << 6U | (code & 0x3FU);
    }
  }
  return all;
}

/// True where the font's own file draws this letter.
bool draws(ImFont* font, char32_t letter) {
  return font->GetFontBaked(14.0F)->FindGlyphNoFallback(static_cast<ImWchar>(letter)) != nullptr;
}

void expect_glyphs(ImFont* font, std::string_view text, std::string_view where) {
  for (const char32_t letter : letters(text)) {
    EXPECT_TRUE(draws(font, letter))
        << "U+" << std::hex << static_cast<unsigned>(letter) << " of " << where;
  }
}

std::string without_raised_t(std::string text) {
  for (std::size_t at = text.find("\u1D40"); at != std::string::npos; at = text.find("\u1D40"))
    text.erase(at, 3);
  return text;
}

TEST(Fonts, HaveEveryLetterOfTheLesson) {
  const Headless headless;
  const Type& type = headless.type;
  for (const lesson::Step& step : lesson::steps()) {
    expect_glyphs(type.words, step.label(), step.name);
    expect_glyphs(type.strong, step.label(), step.name);
    expect_glyphs(type.strong, step.title(), step.name);
    expect_glyphs(type.words, step.text(), step.name);
    expect_glyphs(type.numbers, without_raised_t(std::string(step.formula())), step.name);
  }
  for (const lesson::Example& example : lesson::examples()) {
    expect_glyphs(type.words, example.title(), example.name);
    expect_glyphs(type.words, example.description(), example.name);
    for (const lesson::Variant& variant : example.variants)
      expect_glyphs(type.words, variant.label(), example.name);
  }
  for (const stage::Scene& scene : stage::example_scenes()) {
    for (const auto* tokens : {&scene.attention.query_tokens, &scene.attention.key_tokens}) {
      for (const auto& sample : *tokens) {
        for (const std::string& token : sample) {
          expect_glyphs(type.words, token, scene.name);
          expect_glyphs(type.strong, token, scene.name);
        }
      }
    }
  }
  expect_glyphs(type.words, "− × · √ Σ ∞ … – — ‘ ’ “ ” • → Φ äöüß éèê ñ ç Å", "words");
  expect_glyphs(type.numbers, "0123456789−∞.,eE+-NaN×·/=√Σ…", "numbers");
  // Nobody expects Han of them: that comes from elsewhere, or is a box.
  EXPECT_FALSE(draws(type.words, U'\u6F22'));
  EXPECT_FALSE(draws(type.numbers, U'\u6F22'));
}

TEST(Fonts, HaveWhatALearnerMayTypeWhereNoBrowserHasIt) {
  const Headless headless;
  for (const char32_t letter : letters("ŽžŁłαβγδΑΒΓЖяЇї")) {
#if defined(__EMSCRIPTEN__)
    // The browser's own fonts draw it; in ours it would travel to everybody who never types it.
    EXPECT_FALSE(draws(headless.type.words, letter)) << static_cast<unsigned>(letter);
#else
    EXPECT_TRUE(draws(headless.type.words, letter)) << static_cast<unsigned>(letter);
#endif
  }
}

TEST(Fitting, LeavesWhatFitsAsItIs) {
  const Headless headless;
  ImFont* font = headless.type.words;
  const float width = measure(font, 12.5F, "badminton").x;
  EXPECT_EQ(fitting(font, 12.5F, "badminton", width), "badminton");
  EXPECT_EQ(fitting(font, 12.5F, "badminton", 1000.0F), "badminton");
  EXPECT_EQ(fitting(font, 12.5F, "", 0.0F), "");
}

TEST(Fitting, CutsBetweenLettersAndSaysSo) {
  const Headless headless;
  ImFont* font = headless.type.words;
  for (const std::string text :
       {"badminton", "Übergrößenträger", "Крокодилы", "weighted_values, query nada"}) {
    const float whole = measure(font, 12.5F, text).x;
    for (const float width : evenly_spaced(-3.0F, whole, 1.5F)) {
      const std::string cut = fitting(font, 12.5F, text, width);
      ASSERT_LE(measure(font, 12.5F, cut).x, std::max(0.0F, width)) << cut;
      if (cut.empty()) continue;
      ASSERT_TRUE(cut.ends_with("…")) << cut;
      const std::string kept = cut.substr(0, cut.size() - std::string("…").size());
      ASSERT_TRUE(text.starts_with(kept)) << cut;
      // What is left out begins with a whole character.
      ASSERT_NE(static_cast<unsigned char>(text[kept.size()]) & 0xC0U, 0x80U) << cut;
    }
  }
}

TEST(Shortened, KeepsTheBeginningAndTheEnd) {
  const Headless headless;
  ImFont* font = headless.type.words;
  for (const std::string text : {"badminton", "Übergrößenträger", "Крокодилы", "of"}) {
    const float whole = measure(font, 12.5F, text).x;
    EXPECT_EQ(shortened(font, 12.5F, text, whole), text);
    for (const float width : evenly_spaced(-3.0F, whole - 1.0F, 1.5F)) {
      const std::string made = shortened(font, 12.5F, text, width);
      ASSERT_LE(measure(font, 12.5F, made).x, std::max(0.0F, width)) << made;
      if (made.empty()) continue;
      const std::size_t gap = made.find("…");
      ASSERT_NE(gap, std::string::npos);
      const std::string end = made.substr(gap + std::string("…").size());
      ASSERT_TRUE(text.starts_with(made.substr(0, gap))) << made;
      ASSERT_TRUE(text.ends_with(end)) << made;
      ASSERT_FALSE(gap == 0 || end.empty()) << made;
      ASSERT_NE(static_cast<unsigned char>(end[0]) & 0xC0U, 0x80U) << made;
    }
  }
}

TEST(Formula, RaisesAT) {
  const Headless headless;
  ImFont* font = headless.type.numbers;
  EXPECT_EQ(formula_width(font, 12.0F, ""), 0.0F);
  EXPECT_EQ(formula_width(font, 12.0F, "a = b"), measure(font, 12.0F, "a = b").x);
  const float raised =
      formula_width(font, 12.0F, "Q · K\u1D40 / 2") - measure(font, 12.0F, "Q · K / 2").x;
  EXPECT_GT(raised, 0.0F);
  EXPECT_LT(raised, measure(font, 12.0F, "T").x);
}

// Layout happens without a font: what it reserves must be enough for the real one.
TEST(LabelWidth, IsEnoughForCaptions) {
  const Headless headless;
  for (const stage::Scene* scene : stage::all_scenes()) {
    for (const document::ViewState& view_state : stage::looks_at(*scene)) {
      for (const stage::Screen& screen : stage::screens) {
        const stage::Stage stage = stage::lay_out(scene->attention, view_state, screen.space());
        for (const stage::Group& group : stage.groups) {
          ASSERT_LE(
              measure(headless.type.strong, stage::caption_type_size(stage.detail), group.title).x,
              group.caption.width)
              << group.title << ", " << stage::name_of(*scene, view_state) << ", " << screen.name;
          if (!stage.detailed) continue;
          float second = measure(headless.type.numbers, 11.5F, group.shape).x;
          if (!group.note.empty())
            second += 10.0F + measure(headless.type.words, 11.5F, group.note).x;
          ASSERT_LE(second, group.caption.width)
              << group.shape << ' ' << group.note << ", " << stage::name_of(*scene, view_state)
              << ", " << screen.name;
        }
      }
    }
  }
}

TEST(AtSpaces, NeverBreaksInsideANumber) {
  const Headless headless;
  const std::string text = "q[0, 1] \u2190 0.500 \u2212 0.100 \u00D7 \u22120.0485 = 0.505";
  ImFont* font = headless.type.numbers;
  const float digit = measure(font, 12.0F, "0").x;
  for (float width = 8.0F * digit; width < 50.0F * digit; width += digit) {
    std::string lines = at_spaces(font, 12.0F, text, width);
    for (std::size_t end; !lines.empty(); lines.erase(0, end < lines.size() ? end + 1 : end)) {
      end = std::min(lines.find('\n'), lines.size());
      EXPECT_LE(measure(font, 12.0F, lines.substr(0, end)).x, width + digit + 0.1F);
    }
    std::string joined = at_spaces(font, 12.0F, text, width);
    std::replace(joined.begin(), joined.end(), '\n', ' ');
    EXPECT_EQ(joined, text) << "only spaces become line ends";
  }
}

// Equations are not broken in their middle; words about one stay behind it.
TEST(Formula, ItsEquationsStandBelowEachOtherWhereTheyHaveNoRoomInOneLine) {
  const Headless headless;
  ImFont* font = headless.type.numbers;
  const std::string formula = "a[i] = b[i] + c[i],   k likewise,   c[i, j] = Σ d[i] × e[j]";
  EXPECT_EQ(equations_apart(font, 12.0F, formula, 2000.0F), formula);
  EXPECT_EQ(equations_apart(font, 12.0F, formula, 200.0F),
            "a[i] = b[i] + c[i],   k likewise\nc[i, j] = Σ d[i] × e[j]");
  EXPECT_EQ(equations_apart(font, 12.0F, "", 10.0F), "");
}

}  // namespace
}  // namespace draw
