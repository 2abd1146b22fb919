#include "files/tokenizers/characters/splitting.hpp"

#include "files/tokenizers/reading.hpp"

namespace files {
namespace {

Parsed split(const Parsed& pattern, const char* behavior, bool invert = false) {
  return {{"type", "Split"}, {"pattern", pattern}, {"behavior", behavior}, {"invert", invert}};
}

// The examples of SplitDelimiterBehavior in github.com/huggingface/tokenizers.
TEST(Splitting, WhatIsFoundIsKeptInFiveWays) {
  const std::vector<std::string> pieces = {
      "the",        "final",       "countdown",           "-", "--", "the-", "final-", "-final",
      "-countdown", "--countdown", "the-final--countdown"};
  const auto parted = [&](const Parsed& pattern, const char* behavior, bool invert) {
    return words_of(splitter(split(pattern, behavior, invert), pieces), "the-final--countdown");
  };
  for (const Parsed& pattern : {Parsed{{"String", "-"}}, Parsed{{"Regex", "-"}}}) {
    EXPECT_EQ(parted(pattern, "Removed", false), "the|final|countdown");
    EXPECT_EQ(parted(pattern, "Isolated", false), "the|-|final|-|-|countdown");
    EXPECT_EQ(parted(pattern, "MergedWithPrevious", false), "the-|final-|-|countdown");
    EXPECT_EQ(parted(pattern, "MergedWithNext", false), "the|-final|-|-countdown");
    EXPECT_EQ(parted(pattern, "Contiguous", false), "the|-|final|--|countdown");
    EXPECT_EQ(parted(pattern, "Removed", true), "-|-|-");
    EXPECT_EQ(parted(pattern, "Isolated", true), "the|-|final|-|-|countdown");
  }
  const Parsed words = {{"Regex", "[a-z]+"}};
  EXPECT_EQ(parted(words, "MergedWithNext", true), "the|-final|--countdown")
      << "what is between words, of which each run is one";
  const Parsed punctuation = {{"type", "Punctuation"}, {"behavior", "Contiguous"}};
  EXPECT_EQ(words_of(splitter(punctuation, pieces), "the-final--countdown"),
            "the|-|final|--|countdown");
}

TEST(Splitting, WordsAreThoseOfTheOriginalLibrary) {
  // Its \w has letter-like numbers and what joins letters; that of the npm package has not.
  const std::vector<std::string> words = {
      "aⅫb", "می‌خواهم", "क्‍ष", "ⓐb", "a_b", "é", "x", "²", "½"};
  const auto tokenizer = splitter({{"type", "Whitespace"}}, words);
  for (const std::string& word : words) EXPECT_EQ(words_of(tokenizer, word), word);
  EXPECT_EQ(words_of(tokenizer, "x²"), "x|²");
  EXPECT_EQ(words_of(tokenizer, "x½"), "x|½");
}

TEST(Splitting, DigitsAndDelimiters) {
  const std::vector<std::string> pieces = {"a", "12", "1", "2", "½", "b"};
  EXPECT_EQ(words_of(splitter({{"type", "Digits"}}, pieces), "a12b"), "a|12|b");
  EXPECT_EQ(words_of(splitter({{"type", "Digits"}, {"individual_digits", true}}, pieces), "a12½b"),
            "a|1|2|½|b");
  EXPECT_EQ(
      words_of(splitter({{"type", "CharDelimiterSplit"}, {"delimiter", "_"}}, pieces), "a__12_b"),
      "a|12|b");
}

TEST(Splitting, EmptyMatchesPartAText) {
  const std::vector<std::string> pieces = {"1", "234", "567", "a", "B"};
  // Thousands, as some models have them.
  EXPECT_EQ(
      words_of(splitter(split({{"Regex", "(?=(\\d{3})+(?!\\d))"}}, "Isolated"), pieces), "1234567"),
      "1|234|567");
  EXPECT_EQ(words_of(splitter(split({{"Regex", "(?=[A-Z])"}}, "Removed"), pieces), "aB"), "a|B");
}

}  // namespace
}  // namespace files
