#include "document/state/text.hpp"

#include <gtest/gtest.h>
#include <utf8/core.h>

#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "lesson/input/random.hpp"

namespace document {
namespace {

TEST(NumberText, IsAsShortAsTheFloatAllows) {
  EXPECT_EQ(number_text(0.1F), "0.1");
  EXPECT_EQ(number_text(-0.25F), "-0.25");
  EXPECT_EQ(number_text(0.0F), "0");
  EXPECT_EQ(number_text(-0.0F), "-0");
  EXPECT_EQ(number_text(3.0F), "3");
  EXPECT_EQ(number_text(1e9F), "1e+09");
  EXPECT_EQ(number_text(1.0F / 3.0F), "0.33333334");
  EXPECT_EQ(number_text(std::numeric_limits<float>::infinity()), "Infinity");
  EXPECT_EQ(number_text(-std::numeric_limits<float>::infinity()), "-Infinity");
  EXPECT_EQ(number_text(std::numeric_limits<float>::quiet_NaN()), "NaN");
}

TEST(NumberText, ReadsBackAsTheSameFloat) {
  lesson::Random random(1, "floats");
  for (int round = 0; round < 20'000; ++round) {
    const auto drawn = static_cast<std::uint32_t>(random.bits() >> 32U);
    float number = 0.0F;
    std::memcpy(&number, &drawn, sizeof number);
    if (number != number) continue;
    EXPECT_EQ(std::strtof(number_text(number).c_str(), nullptr), number);
  }
}

TEST(ListOf, JoinsAsASentenceDoes) {
  const std::array<std::string_view, 3> words = {"a", "b", "c"};
  EXPECT_EQ(list_of(std::span(words)), "a, b and c");
  EXPECT_EQ(list_of(std::span(words).first(2)), "a and b");
  EXPECT_EQ(list_of(std::span(words).first(1)), "a");
  const std::array ids = {lesson::AttentionId::attention, lesson::AttentionId::cross_attention};
  EXPECT_EQ(list_of(std::span<const lesson::AttentionId>(ids)), "attention and cross_attention");
}

TEST(Quote, ShowsShortTextWhole) {
  EXPECT_EQ(quote("hello"), "“hello”");
  EXPECT_EQ(quote(""), "“”");
  EXPECT_EQ(quote(std::string(40, 'x')), "“" + std::string(40, 'x') + "”");
}

TEST(Quote, CutsLongTextBetweenCharacters) {
  EXPECT_EQ(quote(std::string(41, 'x')), "“" + std::string(40, 'x') + "…”");
  for (std::size_t shift = 0; shift < 4; ++shift) {
    std::string text(shift, 'x');
    for (int i = 0; i < 30; ++i) text += "𠮷";
    const std::string quoted = quote(text);
    EXPECT_EQ(utf8::find_invalid(quoted.begin(), quoted.end()), quoted.end());
    EXPECT_LE(quoted.size(), 40U + 9U);
  }
}

TEST(Quote, HasNoControlCharacters) { EXPECT_EQ(quote("a\nb\tc\x7F"), "“a b c ”"); }

}  // namespace
}  // namespace document
