// The rules are those of added_vocabulary.rs in github.com/huggingface/tokenizers. The npm package
// of the same makers departs from them where a test says so.
#include "files/tokenizers/added_tokens.hpp"

#include "files/tokenizers/reading.hpp"

namespace files {
namespace {

Parsed added(const std::string& content, int id, const Parsed& more = Parsed::object()) {
  Parsed token = {{"id", id},           {"content", content}, {"lstrip", false},
                  {"rstrip", false},    {"special", false},   {"single_word", false},
                  {"normalized", false}};
  token.update(more);
  return token;
}

Tokenizer with(const Parsed& tokens, const Parsed& normalizer = nullptr) {
  return tokenizer_of(
      {{"normalizer", normalizer},
       {"added_tokens", tokens},
       {"pre_tokenizer", {{"type", "WhitespaceSplit"}}},
       {"model",
        {{"type", "WordLevel"}, {"unk_token", "?"}, {"vocab", {{"?", 0}, {"a", 1}, {"b", 2}}}}}});
}

TEST(AddedTokens, OwnTextIsNormalisedAsTheTextIs) {
  // The npm package looks for the token as it is written.
  const Parsed lowercase = {{"type", "Lowercase"}};
  const auto plain = with(Parsed::array({added("NewTok", 9)}), lowercase);
  EXPECT_EQ(words_of(plain, "a newtok b"), "a|?|b");
  EXPECT_EQ(words_of(plain, "A NewTok b"), "a|NewTok|b");
  const auto normalized =
      with(Parsed::array({added("NewTok", 9, {{"normalized", true}})}), lowercase);
  for (const char* text : {"a newtok b", "a NEWTOK b", "A NewTok b"})
    EXPECT_EQ(words_of(normalized, text), "a|NewTok|b") << text;
  EXPECT_EQ(words_of(normalized, "anewtokb"), "a|NewTok|b") << "inside a word, too";
}

TEST(AddedTokens, EachNormaliserIsApplied) {
  const auto tokenizer = with(
      {added("Élan", 9, {{"normalized", true}}), added("<Raw>", 8)},
      {{"type", "Sequence"},
       {"normalizers", {{{"type", "NFD"}}, {{"type", "StripAccents"}}, {{"type", "Lowercase"}}}}});
  EXPECT_EQ(words_of(tokenizer, "a ELAN élan b"), "a|Élan|Élan|b");
  EXPECT_EQ(words_of(tokenizer, "a <raw> <Raw>"), "a|?|<Raw>");
  const auto prefix = with(Parsed::array({added("x", 9, {{"normalized", true}})}),
                           {{"type", "Prepend"}, {"prepend", "_"}});
  EXPECT_EQ(words_of(prefix, "x"), "x") << "the token is looked for as _x";
  EXPECT_EQ(words_of(prefix, "a x"), "?|?") << "_a x has no _x";
}

TEST(AddedTokens, TakeTheSpacesAroundThem) {
  const auto tokenizer =
      with({added("<l>", 7, {{"lstrip", true}}), added("<r>", 8, {{"rstrip", true}}),
            added("<b>", 9, {{"lstrip", true}, {"rstrip", true}})});
  for (const char* text : {"a <l>b", "a<l> b", "a \t\u2003<l>  b"})
    EXPECT_EQ(encoded(tokenizer, text), (Ids{1, 7, 2})) << text;
  EXPECT_EQ(encoded(tokenizer, "a <r> \n <l> b"), (Ids{1, 8, 7, 2})) << "shared spaces are one's";
  EXPECT_EQ(encoded(tokenizer, "  <b>  <b>  "), (Ids{9, 9}));
}

TEST(AddedTokens, SingleWordsStandAlone) {
  const auto tokenizer =
      with({added("ab", 9, {{"single_word", true}}), added("a", 8), added("b", 7)});
  EXPECT_EQ(encoded(tokenizer, "ab ,ab,"), (Ids{9, 0, 9, 0}));
  EXPECT_EQ(encoded(tokenizer, "abc"), (Ids{0}))
      << "what is refused is not looked through for others";
  EXPECT_EQ(encoded(tokenizer, "xab b"), (Ids{0, 7}));
  for (const char* text : {"ab\u0301", "ab_", "ab\u200D", "ab\u216B", "ab9"})
    EXPECT_EQ(encoded(tokenizer, text), (Ids{0})) << "a word goes on: " << text;
}

TEST(AddedTokens, TheLongestOfThoseThatBeginFirstCounts) {
  const auto tokenizer = with({added("<x", 5), added("<x>", 6), added("x>>>>", 7)});
  EXPECT_EQ(encoded(tokenizer, "<x>>>>"), (Ids{6, 0}));
  EXPECT_EQ(encoded(tokenizer, "<xy"), (Ids{5, 0}));
  const auto special = with({added("<x>", 6), added("<x>", 7, {{"special", true}})});
  EXPECT_EQ(encoded(special, "<x>"), (Ids{7})) << "of two alike the special one";
}

TEST(AddedTokens, ManyAndLongOnesAreRead) {
  Parsed tokens = Parsed::array();
  const std::string name(600, 'n');
  for (int i = 0; i < 4000; ++i)
    tokens.push_back(
        added("<" + name + std::to_string(i) + ">", 10 + i, {{"normalized", i % 2 == 0}}));
  ASSERT_GT(tokens.dump().size(), std::size_t{1} << 20U);
  const auto tokenizer = with(tokens);
  EXPECT_EQ(encoded(tokenizer, "a <" + name + "3999>"), (Ids{1, 4009}));
  EXPECT_EQ(encoded(tokenizer, "<" + name + "40>b"), (Ids{50, 2}));
  EXPECT_EQ(encoded(tokenizer, "<" + name + "4000>"), (Ids{0}));
}

}  // namespace
}  // namespace files
