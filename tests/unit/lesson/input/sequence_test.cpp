#include "lesson/input/sequence.hpp"

#include <gtest/gtest.h>

namespace lesson {
namespace {

using Samples = std::vector<std::vector<std::string>>;

std::vector<float> row_of(const Sequence& sequence, std::size_t sample, std::size_t token) {
  return sequence.embedding.select(0, sample).select(0, token).values();
}

TEST(Words, AreWhatStandsBetweenSpaces) {
  EXPECT_EQ(words("De nada"), (std::vector<std::string>{"De", "nada"}));
  EXPECT_EQ(words("  a  b "), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(words("one"), (std::vector<std::string>{"one"}));
  EXPECT_TRUE(words("").empty());
  EXPECT_TRUE(words("   ").empty());
}

TEST(FirstWords, AreAtMostAllThatThereAre) {
  EXPECT_EQ(first_words("You are welcome", 2), (std::vector<std::string>{"You", "are"}));
  EXPECT_EQ(first_words("You are welcome", 3), words("You are welcome"));
  EXPECT_EQ(first_words("You are welcome", 9), words("You are welcome"));
}

TEST(GivenSequence, IsOneSampleOfTheFirstRows) {
  const std::vector<float> numbers = {1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F};
  const Sequence all = given_sequence({"a", "b", "c"}, numbers, 3);
  EXPECT_EQ(all.tokens, (Samples{{"a", "b", "c"}}));
  EXPECT_EQ(all.embedding.shape(), (tensor::Shape{1, 3, 2}));
  EXPECT_EQ(all.embedding.values(), numbers);
  const Sequence two = given_sequence({"a", "b", "c"}, numbers, 2);
  EXPECT_EQ(two.tokens, (Samples{{"a", "b"}}));
  EXPECT_EQ(two.lengths, (std::vector<std::size_t>{2}));
  EXPECT_EQ(two.embedding.values(), (std::vector<float>{1.0F, 2.0F, 3.0F, 4.0F}));
}

TEST(RandomSequence, PadsToTheLongestSample) {
  const Sequence sequence = random_sequence({{"a", "b", "c"}, {"d"}}, 4, 1);
  EXPECT_EQ(sequence.tokens, (Samples{{"a", "b", "c"}, {"d", "[pad]", "[pad]"}}));
  EXPECT_EQ(sequence.lengths, (std::vector<std::size_t>{3, 1}));
  EXPECT_EQ(sequence.embedding.shape(), (tensor::Shape{2, 3, 4}));
  const std::vector<float> zeros(4, 0.0F);
  EXPECT_EQ(row_of(sequence, 1, 1), zeros);
  EXPECT_EQ(row_of(sequence, 1, 2), zeros);
  EXPECT_NE(row_of(sequence, 1, 0), zeros);
  EXPECT_NE(row_of(sequence, 0, 2), zeros);
}

TEST(RandomSequence, GivesAWordTheSameRowWhereverItStands) {
  const Sequence first = random_sequence({{"the", "fox", "saw", "the", "owl"}}, 8, 5);
  EXPECT_EQ(row_of(first, 0, 0), row_of(first, 0, 3));
  EXPECT_NE(row_of(first, 0, 0), row_of(first, 0, 1));
  const Sequence second = random_sequence({{"owl"}, {"the"}}, 8, 5);
  EXPECT_EQ(row_of(second, 0, 0), row_of(first, 0, 4));
  EXPECT_EQ(row_of(second, 1, 0), row_of(first, 0, 0));
}

TEST(RandomSequence, SpellingAndSeedMatter) {
  const Sequence sequence = random_sequence({{"The", "the"}}, 8, 5);
  EXPECT_NE(row_of(sequence, 0, 0), row_of(sequence, 0, 1));
  EXPECT_NE(row_of(sequence, 0, 0), row_of(random_sequence({{"The"}}, 8, 6), 0, 0));
}

// Only what the padding is decides, not how a word is spelt.
TEST(RandomSequence, AWordThatLooksLikePaddingIsAWord) {
  const Sequence sequence = random_sequence({{"[pad]"}}, 4, 1);
  EXPECT_EQ(sequence.lengths, (std::vector<std::size_t>{1}));
  EXPECT_NE(row_of(sequence, 0, 0), std::vector<float>(4, 0.0F));
}

TEST(RandomSequence, StartsEachRowAlikeWhateverTheWidth) {
  const std::vector<float> narrow = row_of(random_sequence({{"fox"}}, 4, 1), 0, 0);
  const std::vector<float> wide = row_of(random_sequence({{"fox"}}, 8, 1), 0, 0);
  EXPECT_EQ(narrow, std::vector<float>(wide.begin(), wide.begin() + 4));
}

}  // namespace
}  // namespace lesson
