// Where a limit is met, the sentence names it.
#include "files/tokenizers/reading.hpp"
#include "files/tokenizers/vocabularies/vocabulary_files.hpp"
#include "files/tokenizers/vocabularies/vocabulary_reader.hpp"

namespace files {
namespace {

Parsed word_level(const Parsed& more) {
  Parsed described = {
      {"model", {{"type", "WordLevel"}, {"unk_token", "?"}, {"vocab", {{"?", 0}}}}}};
  described.update(more);
  return described;
}

TEST(TokenizerLimits, TokensMayBeAsLongAsATextMayBecome) {
  const std::string word(4000, 'w');
  const Parsed vocab = {{"?", 0}, {word, 1}};
  for (const char* type : {"WordLevel", "WordPiece"}) {
    Parsed model = {{"type", type}, {"unk_token", "?"}, {"vocab", vocab}};
    if (std::string(type) == "WordPiece") model["max_input_chars_per_word"] = 5000;
    EXPECT_EQ(encoded(tokenizer_of({{"model", model}}), word), (Ids{1})) << type;
  }
  const Parsed scored = Parsed::array({Parsed::array({"?", -9.0}), Parsed::array({word, -1.0})});
  EXPECT_EQ(
      encoded(tokenizer_of({{"model", {{"type", "Unigram"}, {"unk_id", 0}, {"vocab", scored}}}}),
              word),
      (Ids{1}));
  const auto list = read_word_list("[UNK]\n" + std::string(90, 'w') + "\n" + word);
  ASSERT_TRUE(list);
  EXPECT_EQ(encoded(*list, std::string(90, 'w')), (Ids{1}));
  EXPECT_EQ(encoded(*list, word), (Ids{0}))
      << "100 letters are the most that BERT takes for a word";
}

TEST(TokenizerLimits, AreNamed) {
  const std::string longest(longest_token + 1, 'w');
  const std::string too_long =
      "\"" + std::string(60, 'w') + "…\" is longer than 16384 bytes, the most that is read here.";
  EXPECT_EQ(problem_of({{"model", {{"type", "WordLevel"}, {"vocab", {{longest, 0}}}}}}), too_long);
  EXPECT_EQ(problem_of({{"model",
                         {{"type", "Unigram"},
                          {"vocab", Parsed::array({Parsed::array({longest, -1.0})})}}}}),
            too_long);
  EXPECT_EQ(problem_of(word_level({{"added_tokens", {{{"id", 1}, {"content", longest}}}}})),
            too_long);
  EXPECT_EQ(read_word_list("[UNK]\n" + longest).error().message, too_long);
  EXPECT_EQ(read_vocab("{\"" + longest + "\": 0}").error().message, too_long);
  for (const Parsed& normalizer : {Parsed{{"type", "Prepend"}, {"prepend", std::string(65, 'x')}},
                                   Parsed{{"type", "Replace"},
                                          {"pattern", {{"String", "a"}}},
                                          {"content", std::string(65, 'x')}}}) {
    EXPECT_TRUE(problem_of(word_level({{"normalizer", normalizer}}))
                    .ends_with("is longer than 64 bytes, the most that is read here."));
  }
  const Parsed many(33, {{"type", "NFC"}});
  EXPECT_EQ(problem_of(word_level({{"normalizer", {{"type", "Sequence"}, {"normalizers", many}}}})),
            "\"normalizers\" has more than 32 entries, the most that are read here.");
  Parsed deep = 0;
  for (int i = 0; i < 70; ++i) deep = Parsed::array({deep});
  EXPECT_EQ(problem_of(word_level({{"x", deep}})),
            "\"x\" is nested deeper than 64 levels, the most that are read here.");
  EXPECT_EQ(problem_of(word_level({{"x", std::string(5'000'000, 'x')}})),
            "\"x\" is longer than 4194304 bytes, the most that is read here.");
}

TEST(TokenizerLimits, ManyTokensAreNamed) {
  const std::string list((std::size_t{1} << 20U) + 1, '\n');
  EXPECT_EQ(read_word_list(list).error().message,
            "\"vocab.txt\" has more than 1048576 entries, the most that are read here.");
}

TEST(TokenizerLimits, AWordWithoutATokenIsNamed) {
  const char* said = "The vocabulary has no token for \"b\", and none for unknown words.";
  for (const char* type : {"WordLevel", "WordPiece"}) {
    const auto tokenizer = tokenizer_of({{"pre_tokenizer", {{"type", "Whitespace"}}},
                                         {"model", {{"type", type}, {"vocab", {{"a", 3}}}}}});
    EXPECT_EQ(encoded(tokenizer, "a a"), (Ids{3, 3}));
    EXPECT_EQ(words_of(tokenizer, "a b"), said) << type;
  }
}

}  // namespace
}  // namespace files
