#include "stage/layout/lettering.hpp"

#include <gtest/gtest.h>

namespace stage {
namespace {

TEST(Lettering, FiguresAreAllAsWide) {
  EXPECT_FLOAT_EQ(text_width("−12.34", 10.0F, true), 36.0F);
  EXPECT_FLOAT_EQ(text_width("√∞", 10.0F, true), 12.0F);
}

TEST(Lettering, LettersDiffer) {
  EXPECT_GT(text_width("WWW", 12.0F), text_width("aaa", 12.0F));
  EXPECT_GT(text_width("aaa", 12.0F), text_width("iii", 12.0F));
  EXPECT_GE(text_width("aaa", 12.0F, false, true), text_width("aaa", 12.0F));
  EXPECT_FLOAT_EQ(text_width("word", 24.0F), 2.0F * text_width("word", 12.0F));
  EXPECT_EQ(text_width("", 12.0F), 0.0F);
}

TEST(Lettering, WordsHaveAPlaceAroundTheirPoint) {
  for (const Side side : {Side::left, Side::centre, Side::right}) {
    const Rect place = place_of(words_at({100.0F, 50.0F}, side, "seven", Tone::text, 12.0F));
    EXPECT_FLOAT_EQ(place.width, text_width("seven", 12.0F));
    EXPECT_FLOAT_EQ(place.centre().y, 50.0F);
    const float at = side == Side::left     ? place.x
                     : side == Side::centre ? place.centre().x
                                            : place.right();
    EXPECT_FLOAT_EQ(at, 100.0F);
  }
}

TEST(Lettering, CutsWholeCharacters) {
  EXPECT_EQ(cut_to("short", 12.0F, 200.0F), "short");
  const std::string cut = cut_to("Übergrößenträger", 12.0F, 50.0F);
  EXPECT_NE(cut.find("…"), std::string::npos);
  EXPECT_EQ(cut.back(), 'r');
  EXPECT_LE(text_width(cut, 12.0F), 50.0F);
  EXPECT_EQ(cut.substr(0, 2), "Ü");
  EXPECT_EQ(cut_to("Крокодилы", 12.0F, 3.0F), "");
}

/// However narrow: what is shown of two different labels is never the same.
void expect_apart(const std::vector<std::string>& labels) {
  for (float width = 4.0F; width < 120.0F; width += 3.0F) {
    const std::vector<std::string> shown = shortened_apart(labels, 11.0F, width);
    ASSERT_EQ(shown.size(), labels.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (labels[i] == labels[j] || shown[i].empty()) continue;
        EXPECT_NE(shown[i], shown[j]) << labels[i] << ", " << labels[j] << " at " << width;
      }
    }
  }
}

TEST(Lettering, ShortensDifferentLabelsDifferently) {
  expect_apart({"queen", "quean", "question", "quotation", "boy", "boys", "bouncing", "boarding"});
  expect_apart({"internationalization", "internationalisation", "internalization", "interaction"});
  expect_apart({"größter", "größer", "großer", "Größer", "крокодил", "крокодилы"});
  expect_apart({"aXbcdefghijk", "aYbcdefghijk", "aZbcdefghijk", "a", "ab"});
  EXPECT_EQ(shortened_apart({"same", "same", "other"}, 11.0F, 200.0F),
            (std::vector<std::string>{"same", "same", "other"}));
}

TEST(Lettering, TakesTheLongestTextThatFits) {
  EXPECT_EQ(longest_fitting({"a long heading", "heading"}, 10.0F, 200.0F), "a long heading");
  EXPECT_EQ(longest_fitting({"a long heading", "heading"}, 10.0F, 50.0F), "heading");
  EXPECT_EQ(longest_fitting({}, 10.0F, 50.0F), "");
}

TEST(Lettering, BreaksBetweenWords) {
  const std::vector<std::string> lines = lines_of("one two three four", 12.0F, 60.0F);
  ASSERT_GT(lines.size(), 1U);
  std::string all;
  for (const std::string& line : lines) {
    EXPECT_LE(text_width(line, 12.0F), 60.0F) << line;
    all += (all.empty() ? "" : " ") + line;
  }
  EXPECT_EQ(all, "one two three four");
  EXPECT_TRUE(lines_of("", 12.0F, 60.0F).empty());
}

}  // namespace
}  // namespace stage
