#include "files/quote.hpp"

#include <string>

#include <gtest/gtest.h>

namespace files {
namespace {

TEST(FilesQuote, LeavesOrdinaryTextAlone) {
  EXPECT_EQ(in_quotes("in_proj_weight"), "\"in_proj_weight\"");
  EXPECT_EQ(in_quotes(""), "\"\"");
  EXPECT_EQ(in_quotes("Größe 重み ∑"), "\"Größe 重み ∑\"");
}

TEST(FilesQuote, EscapesWhatCouldLeaveTheSentence) {
  EXPECT_EQ(in_quotes("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(in_quotes("line\nbreak\x1b[31m"), R"("line\u{a}break\u{1b}[31m")");
  EXPECT_EQ(in_quotes(std::string_view("nul\0!", 5)), R"("nul\u{0}!")");
  EXPECT_EQ(in_quotes("\u202Eabc\u2066\u200B"), R"("\u{202e}abc\u{2066}\u{200b}")");
}

TEST(FilesQuote, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(in_quotes("a\xff\xc3"), R"("a\xff\xc3")");
  EXPECT_EQ(in_quotes("\xe2\x82"), R"("\xe2\x82")");
  EXPECT_EQ(in_quotes("\xed\xa0\x80x"), R"("\xed\xa0\x80x")");  // a surrogate half
}

TEST(FilesQuote, CutsLongTextBetweenCharacters) {
  EXPECT_EQ(in_quotes(std::string(60, 'x')), "\"" + std::string(60, 'x') + "\"");
  EXPECT_EQ(in_quotes(std::string(61, 'x')), "\"" + std::string(60, 'x') + "…\"");

  EXPECT_EQ(in_quotes("abcdef", 3), "\"abc…\"");
  EXPECT_EQ(in_quotes(std::string(1000, 'x'), 1000), "\"" + std::string(1000, 'x') + "\"");

  std::string wide;
  std::string sixty;
  for (int i = 0; i < 1000; ++i) wide += "\U0001F600";
  for (int i = 0; i < 60; ++i) sixty += "\U0001F600";
  EXPECT_EQ(in_quotes(wide), "\"" + sixty + "…\"");
}

}  // namespace
}  // namespace files
