#include "lesson/input/tokenize.hpp"

#include <gtest/gtest.h>
#include <utf8/core.h>

#include "lesson/input/random.hpp"

namespace lesson {
namespace {

using Tokens = std::vector<std::string>;

Tokens tokens_of(std::string_view text) {
  auto tokens = tokenize(text);
  EXPECT_TRUE(tokens) << tokens.error().message;
  return tokens ? *tokens : Tokens{};
}

std::string error_of(std::string_view text) {
  const auto tokens = tokenize(text);
  EXPECT_FALSE(tokens) << "accepted: " << text;
  return tokens ? "" : tokens.error().message;
}

TEST(Tokenize, SplitsAtWhiteSpace) {
  EXPECT_EQ(tokens_of("the quick fox"), (Tokens{"the", "quick", "fox"}));
  EXPECT_EQ(tokens_of("  a\tb\r\n c  "), (Tokens{"a", "b", "c"}));
  EXPECT_EQ(tokens_of("x"), (Tokens{"x"}));
}

TEST(Tokenize, KnowsTheWhiteSpaceOfUnicode) {
  // no-break, ogham, em, thin, line separator, paragraph separator, narrow no-break, ideographic,
  // next line
  for (const char* space : {"\u00A0", "\u1680", "\u2003", "\u2009", "\u2028", "\u2029", "\u202F",
                            "\u3000", "\u0085", "\u200B"}) {
    EXPECT_EQ(tokens_of(std::string("a") + space + "b"), (Tokens{"a", "b"}));
  }
}

TEST(Tokenize, KeepsWordsWholeInScriptsWithSpaces) {
  EXPECT_EQ(tokens_of("Größe dépend été."), (Tokens{"Größe", "dépend", "été."}));
  EXPECT_EQ(tokens_of("добрый день"), (Tokens{"добрый", "день"}));
  EXPECT_EQ(tokens_of("καλημέρα κόσμε"), (Tokens{"καλημέρα", "κόσμε"}));
  EXPECT_EQ(tokens_of("مرحبا بالعالم"), (Tokens{"مرحبا", "بالعالم"}));
  EXPECT_EQ(tokens_of("שלום עולם"), (Tokens{"שלום", "עולם"}));
  EXPECT_EQ(tokens_of("नमस्ते दुनिया"), (Tokens{"नमस्ते", "दुनिया"}));
  EXPECT_EQ(tokens_of("안녕 세상"), (Tokens{"안녕", "세상"}));
  EXPECT_EQ(tokens_of("e\u0301te\u0301 la\u0300"), (Tokens{"e\u0301te\u0301", "la\u0300"}));
}

TEST(Tokenize, TakesCharactersWhereAScriptHasNoSpaces) {
  EXPECT_EQ(tokens_of("我爱你"), (Tokens{"我", "爱", "你"}));
  EXPECT_EQ(tokens_of("ありがとう"), (Tokens{"あ", "り", "が", "と", "う"}));
  EXPECT_EQ(tokens_of("カタカナ。"), (Tokens{"カ", "タ", "カ", "ナ", "。"}));
  EXPECT_EQ(tokens_of("𠮷野"), (Tokens{"𠮷", "野"}));
  EXPECT_EQ(tokens_of("我 爱，你"), (Tokens{"我", "爱", "，", "你"}));
}

TEST(Tokenize, SplitsWhereScriptsMeet) {
  EXPECT_EQ(tokens_of("GPTは速い"), (Tokens{"GPT", "は", "速", "い"}));
  EXPECT_EQ(tokens_of("在GPU上"), (Tokens{"在", "GPU", "上"}));
  EXPECT_EQ(tokens_of("3月14日"), (Tokens{"3", "月", "14", "日"}));
}

TEST(Tokenize, KeepsMarksWithTheCharacterTheyBelongTo) {
  // ka + voiced sound mark; half-width ka + mark; Han + variation selector
  EXPECT_EQ(tokens_of("か\u3099き"), (Tokens{"か\u3099", "き"}));
  EXPECT_EQ(tokens_of("ｶﾞｷ"), (Tokens{"ｶﾞ", "ｷ"}));
  EXPECT_EQ(tokens_of("葛\U000E0100城"), (Tokens{"葛\U000E0100", "城"}));
  // Thai: vowels above and tones go with their consonant, sara am too
  EXPECT_EQ(tokens_of("ที่นี่"), (Tokens{"ที่", "นี่"}));
  EXPECT_EQ(tokens_of("น้ำ"), (Tokens{"น้ำ"}));
  EXPECT_EQ(tokens_of("ไทย"), (Tokens{"ไ", "ท", "ย"}));
  // Khmer coeng and Burmese virama put the next consonant below
  EXPECT_EQ(tokens_of("ខ្មែរ"), (Tokens{"ខ្មែ", "រ"}));
  EXPECT_EQ(tokens_of("သတ္တ"), (Tokens{"သ", "တ္တ"}));
  // Lao
  EXPECT_EQ(tokens_of("ນ້ຳ"), (Tokens{"ນ້ຳ"}));
}

TEST(Tokenize, JoinedEmojiStayOneToken) {
  EXPECT_EQ(tokens_of("👩\u200D🔬 👍🏽"), (Tokens{"👩\u200D🔬", "👍🏽"}));
}

TEST(Tokenize, AMarkWithoutACharacterStandsForItself) {
  EXPECT_EQ(tokens_of("\u0301"), (Tokens{"\u0301"}));
  EXPECT_EQ(tokens_of("a \u0301b"), (Tokens{"a", "\u0301b"}));
}

TEST(Tokenize, RefusesWhatHasNoToken) {
  for (const char* empty : {"", " ", "\t\n", "\u3000\u00A0\u200B"}) {
    EXPECT_EQ(error_of(empty), "The sentence is empty: type at least one word.");
  }
}

TEST(Tokenize, AllowsSixtyFourTokensAndNoMore) {
  std::string text;
  for (int i = 0; i < 64; ++i) text += "w" + std::to_string(i) + " ";
  EXPECT_EQ(tokens_of(text).size(), 64U);
  EXPECT_EQ(error_of(text + "more"), "The sentence has 65 tokens; at most 64 are allowed.");
  std::string huge;
  for (int i = 0; i < 10'000; ++i) huge += "w ";
  EXPECT_EQ(error_of(huge), "The sentence has 10000 tokens; at most 64 are allowed.");
  std::string han;
  for (int i = 0; i < 100; ++i) han += "好";
  EXPECT_EQ(error_of(han), "The sentence has 100 tokens; at most 64 are allowed.");
}

TEST(Tokenize, AllowsWordsOfSixtyFourCharactersAndNoMore) {
  std::string word;
  for (int i = 0; i < 64; ++i) word += "é";
  EXPECT_EQ(tokens_of(word), (Tokens{word}));
  EXPECT_EQ(error_of("a " + word + "é b"),
            "A word of the sentence has 65 characters; at most 64 are allowed.");
  // One base with a thousand marks is one token, and too long a one.
  std::string marks = "か";
  for (int i = 0; i < 1000; ++i) marks += "\u3099";
  EXPECT_EQ(error_of(marks), "A word of the sentence has 1001 characters; at most 64 are allowed.");
}

TEST(Tokenize, RefusesControlCharacters) {
  EXPECT_EQ(error_of("a\ab"),
            "The sentence holds the control character U+0007; only characters that can be read are "
            "allowed.");
  EXPECT_NE(error_of(std::string_view("a\0b", 3)).find("U+0000"), std::string::npos);
  EXPECT_NE(error_of("\x1B[31m").find("U+001B"), std::string::npos);
  EXPECT_NE(error_of("\u009F").find("U+009F"), std::string::npos);
}

TEST(Tokenize, RefusesWhatIsNotUtf8) {
  const std::vector<std::string> garbage = {
      "\x80",              // continuation without a start
      "\xC3",              // start without continuation
      "\xC3(",             // wrong continuation
      "\xC0\xAF",          // overlong
      "\xE0\x80\xAF",      // overlong
      "\xED\xA0\x80",      // half of a surrogate pair
      "\xF4\x90\x80\x80",  // beyond U+10FFFF
      "\xFF\xFE",          // a byte order mark of UTF-16
      "\xF0\x9F\x98",      // cut off
  };
  for (const std::string& bytes : garbage) {
    EXPECT_EQ(error_of(bytes), "The sentence is not UTF-8 text: byte 0 does not belong there.");
    EXPECT_EQ(error_of("ok " + bytes),
              "The sentence is not UTF-8 text: byte 3 does not belong there.");
  }
}

// Whatever the bytes: either valid tokens within the limits, or a sentence. Never a crash.
TEST(Tokenize, AnyBytesGiveTokensOrASentence) {
  Random random(1, "bytes");
  std::size_t accepted = 0;
  for (int round = 0; round < 3000; ++round) {
    std::string text(static_cast<std::size_t>(random.bits() % 40), ' ');
    const bool mostly_ascii = round % 2 == 0;
    for (char& c : text) {
      const auto byte = static_cast<unsigned char>(random.bits() >> 56U);
      c = static_cast<char>(mostly_ascii ? 0x20 + byte % 0x5F : byte);
    }
    const auto tokens = tokenize(text);
    if (!tokens) {
      EXPECT_FALSE(tokens.error().message.empty());
      EXPECT_EQ(tokens.error().message.back(), '.');
      continue;
    }
    ++accepted;
    std::string joined;
    for (const std::string& token : *tokens) {
      EXPECT_FALSE(token.empty());
      EXPECT_EQ(utf8::find_invalid(token.begin(), token.end()), token.end());
      joined += token;
    }
    std::erase(text, ' ');
    if (mostly_ascii) {
      EXPECT_EQ(joined, text);
    }
  }
  EXPECT_GT(accepted, 1000U);
}

}  // namespace
}  // namespace lesson
