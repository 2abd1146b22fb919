#include "stage/wording/translation_words.hpp"

#include <gtest/gtest.h>

#include "speaking.hpp"

namespace stage {
namespace {

TEST(TranslationWords, WhatABeamFoundHasItsSumAndItsMean) {
  const lesson::Translated::Finished found{{7, 8, 9, 2}, "Hola.", -5.0};
  EXPECT_EQ(finished_words(found), "log-probability −5.00, −1.25 per token");
  const Speaking german("de");
  EXPECT_EQ(finished_words(found), "Log-Wahrscheinlichkeit −5.00, −1.25 je Token");
}

TEST(TranslationWords, NothingIsSaidOfATranslationThatIsNotChanged) {
  EXPECT_EQ(unchanged_words({}), "");
  lesson::Translated translated;
  translated.unchanged = lesson::Translated::Unchanged{"Hola.", -0.31, -4.2};
  EXPECT_EQ(unchanged_words(translated),
            "“Hola.” has a log-probability of −4.20 now; without your changes it is −0.31.");
}

}  // namespace
}  // namespace stage
