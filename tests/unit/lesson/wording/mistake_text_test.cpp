#include "lesson/wording/mistake_text.hpp"

#include <gtest/gtest.h>

#include <set>

namespace lesson {
namespace {

using model::Mistake;

TEST(MistakeText, EveryMistakeHasItsOwn) {
  std::set<std::string_view> labels;
  for (std::size_t i = 0; i < model::mistake_names.size(); ++i) {
    const auto mistake = static_cast<Mistake>(i);
    const MistakeText& text = text_of(mistake);
    EXPECT_EQ(text.mistake, mistake);
    EXPECT_FALSE(text.text().empty());
    EXPECT_EQ(text.text().back(), '.');
    EXPECT_TRUE(labels.insert(text.label()).second) << text.label();
  }
}

TEST(MistakeIn, EveryMistakeCanBeMadeInSomeStep) {
  std::set<Mistake> made;
  for (const Step& step : steps()) {
    for (const Mistake mistake : mistakes_in(step.id)) made.insert(mistake);
  }
  EXPECT_EQ(made.size(), model::mistake_names.size() - 1);
  EXPECT_FALSE(made.contains(Mistake::none));
}

}  // namespace
}  // namespace lesson
