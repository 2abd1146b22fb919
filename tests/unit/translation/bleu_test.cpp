#include "translation/bleu.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace translation {
namespace {

using Texts = std::vector<std::string>;

TEST(Bleu, WordsAreThoseOfMtevalV13a) {
  const auto words = [](const char* text) { return bleu_words(text); };
  EXPECT_EQ(words("Hello, world!"), (Texts{"Hello", ",", "world", "!"}));
  EXPECT_EQ(words("It's 3.50, or 1,000."), (Texts{"It's", "3.50", ",", "or", "1,000", "."}));
  EXPECT_EQ(words("a-b 1-2 (x)"), (Texts{"a-b", "1", "-", "2", "(", "x", ")"}));
  EXPECT_EQ(words("[a]/{b}~\"c\""),
            (Texts{"[", "a", "]", "/", "{", "b", "}", "~", "\"", "c", "\""}));
  EXPECT_EQ(words("1..2 ..."), (Texts{"1", ".", ".", "2", ".", ".", "."}));
  EXPECT_EQ(words("¿Qué?"), (Texts{"¿Qué", "?"}));
  EXPECT_EQ(words("&quot;a&quot; &lt;b&gt; &amp; &amp;lt;"),
            (Texts{"\"", "a", "\"", "<", "b", ">", "&", "<"}));
  EXPECT_EQ(words("  \t "), Texts{});
  EXPECT_EQ(words(""), Texts{});
}

TEST(Bleu, OfTheReferenceIsAHundred) {
  EXPECT_NEAR(bleu({"the cat is on the mat"}, {{"the cat is on the mat"}}), 100.0, 1e-9);
  EXPECT_NEAR(bleu({"a b c d", "e f g h"}, {{"a b c d"}, {"x", "e f g h"}}), 100.0, 1e-9);
}

// Five of six words, three of five pairs, two of four triples, one of three runs of four.
TEST(Bleu, CountsRunsByHand) {
  const double expected = 100.0 * std::pow(5.0 / 6 * 3.0 / 5 * 2.0 / 4 * 1.0 / 3, 0.25);
  EXPECT_NEAR(bleu({"the cat sat on the mat"}, {{"a cat sat on the rug mat"}}),
              expected * std::exp(1.0 - 7.0 / 6.0), 1e-9);
}

// "the" counts as often as the reference with most of them has it, which is twice: six of seven
// words; three of six pairs, two of five triples, one of four runs of four.
TEST(Bleu, NoWordCountsMoreOftenThanInAReference) {
  EXPECT_NEAR(bleu({"the the the cat is on it"}, {{"the cat the x y z w", "the cat is on the it"}}),
              100.0 * std::pow(6.0 / 7 * 3.0 / 6 * 2.0 / 5 * 1.0 / 4, 0.25), 1e-9);
}

// Computed in Python from the paper's formula and mteval-v13a's regular expressions.
TEST(Bleu, OfSentencesAsPython) {
  const Texts translations = {"He admired her as a great director.",
                              "Tom pays 3.50, not 1,000 euros.", "No sé qué decir - en serio."};
  const std::vector<Texts> references = {
      {"He admired her as a great manager.", "He admired her like a great director."},
      {"Tom paid 3.50, not 1,000 euros!"},
      {"No sé qué decir; en serio, no."}};
  EXPECT_NEAR(bleu(translations, references), 59.780636911550175, 1e-9);
}

TEST(Bleu, CountsAreAddedUpOverSentences) {
  // Six of eight words, four of six pairs, two of four triples, one of two.
  EXPECT_NEAR(bleu({"a b c d", "e f x y"}, {{"a b c d"}, {"e f g h"}}),
              100.0 * std::pow(6.0 / 8 * 4.0 / 6 * 2.0 / 4 * 1.0 / 2, 0.25), 1e-9);
}

TEST(Bleu, ShortTranslationsPay) {
  EXPECT_NEAR(bleu({"a b c d"}, {{"a b c d e f"}}), 100.0 * std::exp(1.0 - 6.0 / 4.0), 1e-9);
  // Compared with the reference that is closest in length, the shorter of two equally close ones.
  EXPECT_NEAR(bleu({"a b c d"}, {{"a b c d e f g", "a b c d e"}}),
              100.0 * std::exp(1.0 - 5.0 / 4.0), 1e-9);
  EXPECT_NEAR(bleu({"a b c d"}, {{"a b c d e", "a b c"}}), 100.0, 1e-9);
}

TEST(Bleu, OfNothingInCommonIsZero) {
  EXPECT_EQ(bleu({"a b c d"}, {{"e f g h"}}), 0.0);
  EXPECT_EQ(bleu({"a b c"}, {{"a b c"}}), 0.0) << "no run of four, and nothing is smoothed";
  EXPECT_EQ(bleu({""}, {{"a b c d"}}), 0.0);
}

}  // namespace
}  // namespace translation
