#include "translation/corpus.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

namespace translation {
namespace {

std::vector<std::size_t> tokens(std::initializer_list<std::size_t> list) { return list; }

TEST(Corpus, ReadsPairs) {
  const auto pairs = read_pairs("Go.\tVe.\tCC-BY 2.0\n\nHi.\tHola.\r\nRun!\t¡Corre!");
  ASSERT_TRUE(pairs.has_value()) << pairs.error().message;
  ASSERT_EQ(pairs->size(), 3U);
  EXPECT_EQ((*pairs)[0].source, "Go.");
  EXPECT_EQ((*pairs)[0].target, "Ve.");
  EXPECT_EQ((*pairs)[1].target, "Hola.");
  EXPECT_EQ((*pairs)[2].target, "¡Corre!");
}

TEST(Corpus, SaysWhichLineIsWrong) {
  const auto error = [](std::string_view text) { return read_pairs(text).error().message; };
  EXPECT_EQ(error("Go.\tVe.\nGo. Ve.\n"), "Line 2 has no two sentences with a tab between them.");
  EXPECT_EQ(error("\tVe.\n"), "Line 1 has no two sentences with a tab between them.");
  EXPECT_EQ(error("\n\nGo.\t"), "Line 3 has no two sentences with a tab between them.");
  EXPECT_EQ(error("Go.\t\tCC-BY"), "Line 1 has no two sentences with a tab between them.");
  EXPECT_EQ(error(""), "There is no pair of sentences in it.");
  EXPECT_EQ(error("\n\r\n"), "There is no pair of sentences in it.");
}

std::vector<SentencePair> many_pairs() {
  std::vector<SentencePair> pairs;
  for (int i = 0; i < 300; ++i)
    pairs.push_back({"English " + std::to_string(i % 120), "Spanish " + std::to_string(i)});
  return pairs;
}

TEST(Corpus, NoEnglishSentenceIsOnBothSides) {
  const std::vector<SentencePair> all = many_pairs();
  const Split parts = split(all, 50);
  std::set<std::string> held;
  std::size_t pairs_held = 0;
  for (const HeldOut& each : parts.held_out) {
    EXPECT_TRUE(held.insert(each.source).second) << each.source << " twice";
    EXPECT_FALSE(each.references.empty());
    pairs_held += each.references.size();
    std::vector<std::string> references;
    for (const SentencePair& pair : all) {
      if (pair.source == each.source) references.push_back(pair.target);
    }
    EXPECT_EQ(each.references, references);
  }
  EXPECT_GE(pairs_held, 50U);
  EXPECT_LE(pairs_held, 52U) << "no sentence more than needed; each has at most three references";
  EXPECT_EQ(parts.training.size() + pairs_held, all.size());
  for (const SentencePair& pair : parts.training) EXPECT_FALSE(held.contains(pair.source));
}

// By a hash: what is held out does not depend on the order of the file.
TEST(Corpus, TheEnglishDecidesWhatIsHeldOut) {
  std::vector<SentencePair> all = many_pairs();
  const Split parts = split(all, 50);
  std::reverse(all.begin(), all.end());
  const Split again = split(all, 50);
  ASSERT_EQ(again.held_out.size(), parts.held_out.size());
  for (std::size_t i = 0; i < parts.held_out.size(); ++i)
    EXPECT_EQ(again.held_out[i].source, parts.held_out[i].source);
}

TEST(Corpus, FewerPairsThanAreToBeHeldOut) {
  const Split parts = split({{"Go.", "Ve."}, {"Go.", "Vete."}, {"Hi.", "Hola."}}, 2000);
  EXPECT_EQ(parts.held_out.size(), 2U);
  EXPECT_TRUE(parts.training.empty());
}

TEST(Corpus, TokensHaveTheirBeginAndEnd) {
  const Vocabulary vocabulary({"▁a", "▁b"});  // 4 and 5
  const auto pairs =
      tokens_of({{"a b", "b a b"}, {"a a a a", "a"}, {"a", "a a a a"}}, vocabulary, 3);
  ASSERT_EQ(pairs.size(), 1U) << "those with four tokens on a side are left out";
  EXPECT_EQ(pairs[0].source, tokens({4, 5, Vocabulary::end}));
  EXPECT_EQ(pairs[0].target, tokens({Vocabulary::begin, 5, 4, 5, Vocabulary::end}));
}

TEST(Corpus, ABatchIsPaddedToTheLongest) {
  const std::vector<TokenPair> pairs = {
      {{4, 2}, {1, 5, 6, 2}}, {{7, 8, 2}, {1, 9, 2}}, {{2}, {1, 2}}};
  const std::vector<std::size_t> places = {1, 0};
  const model::TokenBatch batch = batch_of(pairs, places);
  EXPECT_EQ(batch.source.shape(), (tensor::Shape{2, 3}));
  EXPECT_EQ(batch.source.values(), (std::vector<float>{7, 8, 2, 4, 2, 0}));
  EXPECT_EQ(batch.target.shape(), (tensor::Shape{2, 3}));
  EXPECT_EQ(batch.target.values(), (std::vector<float>{1, 9, 0, 1, 5, 6}));
  EXPECT_EQ(batch.right.values(), (std::vector<float>{9, 2, -1, 5, 6, 2}));
}

TEST(Corpus, AnEpochHasEveryPairOnce) {
  std::vector<TokenPair> pairs(103);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    pairs[i].source.assign(1 + i * 7 % 20, 4);
    pairs[i].target.assign(3, 4);
  }
  const auto batches = batches_of(pairs, 10, 1, 0);
  ASSERT_EQ(batches.size(), 11U);
  std::set<std::size_t> seen;
  for (const auto& batch : batches) {
    std::size_t shortest = 100;
    std::size_t longest = 0;
    for (const std::size_t place : batch) {
      EXPECT_TRUE(seen.insert(place).second) << place;
      shortest = std::min(shortest, pairs[place].source.size());
      longest = std::max(longest, pairs[place].source.size());
    }
    EXPECT_LE(longest - shortest, 3U) << "of about the same length";
  }
  EXPECT_EQ(seen.size(), pairs.size());
  EXPECT_EQ(batches_of(pairs, 10, 1, 0), batches);
  EXPECT_NE(batches_of(pairs, 10, 1, 1), batches);
  EXPECT_NE(batches_of(pairs, 10, 2, 0), batches);
}

}  // namespace
}  // namespace translation
