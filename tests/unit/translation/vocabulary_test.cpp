#include "translation/vocabulary.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace translation {
namespace {

using Pieces = std::vector<std::string>;

Pieces pieces_of(const Vocabulary& vocabulary, std::string_view text) {
  Pieces pieces;
  for (const std::size_t token : vocabulary.tokens_of(text))
    pieces.push_back(vocabulary.piece(token));
  return pieces;
}

TEST(Vocabulary, CharactersOfUtf8) {
  EXPECT_EQ(characters_of("aé▁😀"), (Pieces{"a", "é", "▁", "😀"}));
  EXPECT_EQ(characters_of(""), Pieces{});
  // Bytes that are no UTF-8, and a character that is cut off at the end.
  EXPECT_EQ(characters_of("\x80z"), (Pieces{"\x80", "z"}));
  EXPECT_EQ(characters_of("z\xF0\x9F"), (Pieces{"z", "\xF0\x9F"}));
}

TEST(Vocabulary, WordsOfASentence) {
  EXPECT_EQ(words_of("I'm 20, Tom."), (Pieces{"▁I", "'", "m", "▁20", ",", "▁Tom", "."}));
  EXPECT_EQ(words_of("¿Qué? ¡Él!"), (Pieces{"▁¿", "Qué", "?", "▁¡", "Él", "!"}));
  EXPECT_EQ(words_of("  two \t\n spaces "), (Pieces{"▁two", "▁spaces"}));
  EXPECT_EQ(words_of(" \n\t"), Pieces{});
  EXPECT_EQ(words_of("a😀"), (Pieces{"▁a😀"}));
}

TEST(Vocabulary, TheFirstFourAreNoText) {
  const Vocabulary vocabulary({"▁", "a"});
  ASSERT_EQ(vocabulary.size(), 6U);
  EXPECT_EQ(vocabulary.pieces(), (Pieces{"<pad>", "<s>", "</s>", "<unk>", "▁", "a"}));
  EXPECT_EQ(vocabulary.text_of({1, 4, 5, 3, 0, 2, 99}), "a");
  // "<s>" in a text is three characters.
  EXPECT_EQ(pieces_of(vocabulary, "<s>"), (Pieces{"▁", "<unk>", "<unk>", "<unk>"}));
}

TEST(Vocabulary, AWordThatIsAPieceIsOneToken) {
  const Vocabulary vocabulary({"▁", "a", "t", "c", "▁c", "▁cat"});
  EXPECT_EQ(vocabulary.tokens_of("cat cat"), (std::vector<std::size_t>{9, 9}));
}

// "ab" was learned before "bc": a b c becomes ab c, though both pairs are pieces.
TEST(Vocabulary, PairsAreJoinedInTheOrderInWhichTheyWereLearned) {
  const Pieces characters = {"▁", "a", "b", "c"};
  const auto with = [&](Pieces joined) {
    joined.insert(joined.begin(), characters.begin(), characters.end());
    return Vocabulary(joined);
  };
  EXPECT_EQ(pieces_of(with({"ab", "bc"}), "abc"), (Pieces{"▁", "ab", "c"}));
  EXPECT_EQ(pieces_of(with({"bc", "ab"}), "abc"), (Pieces{"▁", "a", "bc"}));
  EXPECT_EQ(pieces_of(with({"bc", "abc"}), "abc"), (Pieces{"▁", "abc"}));
  EXPECT_EQ(pieces_of(with({"ab", "▁ab"}), "abab"), (Pieces{"▁ab", "ab"}));
  // The leftmost of equals.
  EXPECT_EQ(pieces_of(with({"aa"}), "aaa"), (Pieces{"▁", "aa", "a"}));
}

TEST(Vocabulary, CharactersThatWereNeverSeenAreUnknown) {
  const Vocabulary vocabulary({"▁", "a"});
  EXPECT_EQ(vocabulary.tokens_of("a😀"), (std::vector<std::size_t>{4, 5, Vocabulary::unknown}));
  EXPECT_EQ(Vocabulary().tokens_of(""), std::vector<std::size_t>{});
}

const Pieces tiny_corpus = {"He admired her as a great director.", "¿Dónde está la niña?",
                            "Tom's mother isn't here, is she?",    "Te amo: ¡siempre!",
                            "It costs 3.50, doesn't it?",          "No, no y no."};

TEST(Vocabulary, SentencesComeBackFromTheirTokens) {
  for (const std::size_t size : {60U, 80U, 400U}) {
    const Vocabulary vocabulary(learn_pieces(tiny_corpus, size, 1));
    EXPECT_LE(vocabulary.size(), size);
    for (const std::string& sentence : tiny_corpus)
      EXPECT_EQ(vocabulary.text_of(vocabulary.tokens_of(sentence)), sentence);
  }
}

TEST(LearnPieces, ByHand) {
  // Words: ▁ab three times, ▁abc twice, ▁b once. Pairs: ▁a 5, ab 5, bc 2, ▁b 1. Among equals the
  // last by its letters: (▁, a), as ▁ comes behind all letters. Then ▁a b 5, ▁ab c 2, ▁ b 1.
  const Pieces sentences = {"ab ab abc", "ab abc b"};
  const Pieces all = {"a", "b", "c", "▁", "▁a", "▁ab", "▁abc", "▁b"};
  EXPECT_EQ(learn_pieces(sentences, 100, 1), all);
  // The four that are no text count.
  EXPECT_EQ(learn_pieces(sentences, 10, 1), Pieces(all.begin(), all.begin() + 6));
  // c occurs twice.
  EXPECT_EQ(learn_pieces(sentences, 8, 3), (Pieces{"a", "b", "▁", "▁a"}));
}

TEST(LearnPieces, OfASmallSizeAreTheMostFrequentCharacters) {
  // ▁ six times, b six, a five, c twice.
  const Pieces sentences = {"ab ab abc", "ab abc b"};
  EXPECT_EQ(learn_pieces(sentences, 7, 1), (Pieces{"a", "b", "▁"}));
  EXPECT_EQ(learn_pieces(sentences, 6, 1), (Pieces{"b", "▁"}));
  EXPECT_EQ(learn_pieces(sentences, 4, 1), Pieces{});
  EXPECT_EQ(learn_pieces(sentences, 0, 1), Pieces{});
}

TEST(LearnPieces, NoPieceTwice) {
  const Pieces pieces =
      learn_pieces({"aaaa aaa aa banana bananas", "nana nanana abab ababab"}, 200, 1);
  const std::set<std::string> different(pieces.begin(), pieces.end());
  EXPECT_EQ(different.size(), pieces.size());
  const Vocabulary vocabulary(pieces);
  EXPECT_EQ(vocabulary.text_of(vocabulary.tokens_of("bananas aaa")), "bananas aaa");
  EXPECT_EQ(vocabulary.tokens_of("bananas").size(), 1U) << "with room enough a word is one piece";
}

TEST(LearnPieces, OfNothing) { EXPECT_EQ(learn_pieces({}, 100), Pieces{}); }

}  // namespace
}  // namespace translation
