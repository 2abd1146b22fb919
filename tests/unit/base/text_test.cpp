#include "base/text.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>

namespace base {
namespace {

TEST(Text, IsWhatTheCatalogueSays) {
  EXPECT_EQ(text("lesson.step.softmax.title"), "Turn scores into weights");
}

TEST(Text, StaysWhereItIs) {
  EXPECT_EQ(text("lesson.step.softmax.title").data(), text("lesson.step.softmax.title").data());
}

TEST(Text, IsTheKeyWhereThereIsNone) { EXPECT_EQ(text("lesson.no.such"), "lesson.no.such"); }

TEST(Text, HasItsPlaceholdersReplaced) {
  // A key that is unknown is its own text.
  EXPECT_EQ(text("{n} of {all}: {n}", {{"n", 3}, {"all", "many"}}), "3 of many: 3");
  EXPECT_EQ(text("{a}{b}", {{"b", "y"}, {"a", std::string("x")}}), "xy");
  EXPECT_EQ(text("{a} {b}", {{"a", -1}, {"b", ~std::uint64_t{0}}}), "-1 18446744073709551615");
  EXPECT_EQ(text("no place", {{"a", "x"}}), "no place");
  EXPECT_EQ(text("{unknown}", {{"a", "x"}}), "{unknown}");
  EXPECT_EQ(text("open {a", {{"a", "x"}}), "open {a");
}

TEST(Text, DoesNotSearchWhatWasPutIn) {
  EXPECT_EQ(text("{word}, {other}", {{"word", "{other}"}, {"other", "{word}"}}), "{other}, {word}");
}

/// Other tests read English.
struct English {
  ~English() { EXPECT_TRUE(use_language("{}")); }
};

TEST(Text, AnotherLanguageLiesOverEnglish) {
  const English again;
  const std::string english(text("lesson.step.softmax.label"));
  ASSERT_TRUE(use_language(R"({"lesson.step.softmax.title": "Aus Punkten werden Gewichte",
                               "lesson.no.such": "unbenutzt"})"));
  EXPECT_EQ(text("lesson.step.softmax.title"), "Aus Punkten werden Gewichte");
  EXPECT_EQ(text("lesson.step.softmax.label"), english);
  ASSERT_TRUE(use_language("{}"));
  EXPECT_EQ(text("lesson.step.softmax.title"), "Turn scores into weights");
}

TEST(Text, RefusesWhatIsNoCatalogue) {
  const English again;
  ASSERT_TRUE(use_language(R"({"lesson.step.softmax.label": "Gewichte"})"));
  for (const char* damaged : {"", "[]", "{\"a\": ", "\"text\"", "null", "{\"a\": 3}", "{} {}"}) {
    const auto used = use_language(damaged);
    ASSERT_FALSE(used) << damaged;
    EXPECT_EQ(used.error().message, text("base.language.damaged"));
    EXPECT_EQ(text("lesson.step.softmax.label"), "Gewichte") << "the last good one stays";
  }
}

}  // namespace
}  // namespace base
