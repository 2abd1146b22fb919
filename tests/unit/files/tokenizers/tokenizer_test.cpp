#include "files/tokenizers/vocabularies/vocabulary_files.hpp"

#include <fstream>

#include "files/tokenizers/reading.hpp"

namespace files {
namespace {

Parsed fixture(const std::string& name) {
  std::ifstream file(std::string(ATTENTION_LIVE_FIXTURES) + "/tokenizers/" + name + ".json");
  return Parsed::parse(file);
}

class TokenizerOf : public testing::TestWithParam<const char*> {};

// t5 and llama2: what SentencePiece makes of the texts; the others: Hugging Face's library.
TEST_P(TokenizerOf, GivesTheIdsOfTheReference) {
  const Parsed all = fixture(GetParam());
  const Tokenizer tokenizer = tokenizer_of(all["tokenizer"]);
  for (const Parsed& each : all["cases"]) {
    const auto text = each[0].get<std::string>();
    EXPECT_EQ(encoded(tokenizer, text), each[1].get<Ids>()) << text;
  }
}
INSTANTIATE_TEST_SUITE_P(Families, TokenizerOf,
                         testing::Values("gpt2", "llama3", "qwen2", "bert", "cased", "words", "t5",
                                         "llama2"),
                         [](const auto& family) { return std::string(family.param); });

TEST(Tokenizer, NamesTokensSoThatTheyCanBeRead) {
  const auto gpt2 =
      tokenizer_of(fixture("gpt2")["tokenizer"]).encode("The animal: 猫<|endoftext|>");
  ASSERT_TRUE(gpt2);
  std::string all;
  for (const std::string& word : gpt2->words) all += word + '|';
  EXPECT_TRUE(all.ends_with(":|▁|<0xE7>|<0x8C>|<0xAB>|<|endoftext|>|")) << all;
  const auto bert = tokenizer_of(fixture("bert")["tokenizer"]).encode("attention");
  ASSERT_TRUE(bert);
  EXPECT_EQ(bert->words.front(), "[CLS]");
  EXPECT_EQ(bert->words.back(), "[SEP]");
}

TEST(Tokenizer, JoinsThePairThatWasLearnedFirst) {
  // By hand: "lo w" is learned before "er", "low er" last.
  const Parsed model = {{"type", "BPE"},
                        {"vocab",
                         {{"l", 0},
                          {"o", 1},
                          {"w", 2},
                          {"e", 3},
                          {"r", 4},
                          {"lo", 5},
                          {"low", 6},
                          {"er", 7},
                          {"lower", 8},
                          {"we", 9}}},
                        {"merges", {"l o", "lo w", "w e", "e r", "low er"}}};
  const Tokenizer tokenizer = tokenizer_of({{"model", model}});
  EXPECT_EQ(encoded(tokenizer, "lower"), (Ids{8}));
  EXPECT_EQ(encoded(tokenizer, "wer"), (Ids{9, 4}));
  EXPECT_EQ(encoded(tokenizer, "lol"), (Ids{5, 0}));
  EXPECT_EQ(encoded(tokenizer, "loxw"), (Ids{6})) << "x is no token, and there is no unknown one";
}

TEST(Tokenizer, TakesTheLongestPieces) {
  const auto tokenizer = read_word_list("[UNK]\nun\n##aff\n##able\nun##\nUn\n");
  ASSERT_TRUE(tokenizer);
  EXPECT_EQ(encoded(*tokenizer, "unaffable"), (Ids{1, 2, 3}));
  EXPECT_EQ(encoded(*tokenizer, "unaffablex un"), (Ids{0, 1}));
  EXPECT_EQ(encoded(*tokenizer, "Un"), (Ids{5})) << "it has capitals, so they are kept";
}

TEST(Tokenizer, AListWithoutCapitalsMakesLettersSmall) {
  const auto tokenizer = read_word_list("[UNK]\r\n[CLS]\r\n[SEP]\r\ncafe\r\n!\r\n");
  ASSERT_TRUE(tokenizer);
  EXPECT_EQ(encoded(*tokenizer, "CAFÉ!"), (Ids{1, 3, 4, 2}));
}

TEST(Tokenizer, FindsTheMostProbableSplit) {
  // By hand: a b ab, −1 −1 −3: two pieces cost less than one; abc alone −2.5 less than ab c.
  const Tokenizer tokenizer =
      tokenizer_of(Parsed::parse(R"({"model": {"type": "Unigram", "unk_id": 0, "vocab":
      [["<unk>", 0], ["a", -1], ["b", -1], ["ab", -3], ["c", -1], ["abc", -2.5]]}})"));
  EXPECT_EQ(encoded(tokenizer, "ab"), (Ids{1, 2}));
  EXPECT_EQ(encoded(tokenizer, "abc"), (Ids{5}));
  EXPECT_EQ(encoded(tokenizer, "axyb"), (Ids{1, 0, 2})) << "unknown characters in a row are one";
}

TEST(Tokenizer, ReadsGpt2sTwoFiles) {
  const Parsed gpt2 = fixture("gpt2");
  const Parsed& model = gpt2["tokenizer"]["model"];
  std::string merges = "#version: 0.2\n";
  for (const Parsed& merge : model["merges"]) merges += merge.get<std::string>() + "\n";
  const auto tokenizer = read_merges(*read_vocab(model["vocab"].dump()), merges);
  ASSERT_TRUE(tokenizer) << tokenizer.error().message;
  for (const Parsed& each : gpt2["cases"]) {
    const auto text = each[0].get<std::string>();
    if (text.find("<|endoftext|>") != std::string::npos) continue;  // it is not in the vocabulary
    EXPECT_EQ(encoded(*tokenizer, text), each[1].get<Ids>()) << text;
  }
}

TEST(Tokenizer, RefusesByNameWhatItDoesNotKnow) {
  const Parsed good = fixture("bert")["tokenizer"];
  const auto with = [&](const char* part, const Parsed& value) {
    Parsed changed = good;
    changed[part] = value;
    return problem_of(changed);
  };
  EXPECT_EQ(with("normalizer", {{"type", "Nmt"}}), "The normalizer \"Nmt\" is not known here.");
  EXPECT_EQ(with("pre_tokenizer", {{"type", "UnicodeScripts"}}),
            "The pre_tokenizer \"UnicodeScripts\" is not known here.");
  EXPECT_EQ(with("pre_tokenizer",
                 {{"type", "Split"}, {"pattern", {{"Regex", "(a)\\1"}}}, {"behavior", "Isolated"}}),
            "The regular expression \"(a)\\\\1\" has \"\\\\1\", which is not known here.");
  EXPECT_EQ(with("post_processor", {{"type", "Other"}}),
            "The post_processor \"Other\" is not known here.");
  EXPECT_EQ(with("model", {{"type", "Other"}, {"vocab", {{"a", 0}}}}),
            "The model \"Other\" is not known here.");
  EXPECT_EQ(with("normalizer", {{"type", "Sequence"}, {"normalizers", {{{"type", "Nmt"}}}}}),
            "The normalizer \"Nmt\" is not known here.");
  EXPECT_EQ(with("normalizer", {{"type", "Sequence"}, {"normalizers", 3}}),
            "\"normalizers\" is missing, or not as it should be.");
  EXPECT_EQ(with("model", {{"type", "WordPiece"}, {"vocab", {{"a", -1}}}}),
            "\"vocab\" is missing, or not as it should be.");
  EXPECT_EQ(with("model", {{"type", "BPE"}, {"vocab", {{"a", 0}}}, {"merges", {"a b"}}}),
            "The merge \"a b\" has or makes a token that is not in the vocabulary.");
  EXPECT_EQ(with("model", {{"type", "Unigram"}, {"unk_id", 7}, {"vocab", {{"a", -1.0}}}}),
            "\"vocab\" is missing, or not as it should be.")
      << "an object of one pair, as nlohmann writes it";
  EXPECT_EQ(with("added_tokens", {{{"id", -1}, {"content", "x"}}}),
            "\"added_tokens\" is missing, or not as it should be.");
  EXPECT_EQ(with("post_processor", {{"type", "TemplateProcessing"}, {"single", Parsed::array()}}),
            "\"TemplateProcessing\" is missing, or not as it should be.");
}

TEST(Tokenizer, RefusesWhatIsNoTokenizer) {
  const auto refused_text = [](std::string_view text) {
    const auto tokenizer = read_tokenizer_json(text);
    return tokenizer ? "" : tokenizer.error().message;
  };
  for (const char* text : {"", "[]", "{", "null", "{\"model\": 3}"})
    EXPECT_EQ(refused_text(text), "\"tokenizer.json\" is missing, or not as it should be.") << text;
  EXPECT_EQ(refused_text("{}"), "\"vocab\" is missing, or not as it should be.");
  EXPECT_EQ(refused_text(R"({"model": {"vocab": {"a": 0}}, "x": )" + std::string(9, '[') + "}"),
            "\"tokenizer.json\" is missing, or not as it should be.");
  EXPECT_EQ(refused_text("\xFF"), "The text is not UTF-8.");
  EXPECT_FALSE(read_word_list("a\nb\n"));
  EXPECT_FALSE(read_merges(*read_vocab("{\"a\": 0}"), "a b"));
  EXPECT_FALSE(read_vocab("{}"));
}

TEST(Tokenizer, SaysNamesOfTheFileSoThatTheyCanBeShown) {
  const auto tokenizer = read_tokenizer_json(R"({"a\nb": 7x})");
  ASSERT_FALSE(tokenizer);
  EXPECT_EQ(tokenizer.error().message.find('\n'), std::string::npos) << tokenizer.error().message;
  const auto long_number = read_tokenizer_json(R"({"a\nb": 1e, "c": 2})");
  ASSERT_FALSE(long_number);
  EXPECT_EQ(
      read_tokenizer_json("{\"a\\nb\":[" + std::string(1U << 22U, ' ') + "]}").error().message,
      "\"a\\u{a}b\" is longer than 4194304 bytes, the most that is read here.");
}

TEST(Tokenizer, RefusesTextsThatAreTooLongOrEmpty) {
  const Tokenizer tokenizer = tokenizer_of(fixture("gpt2")["tokenizer"]);
  EXPECT_EQ(tokenizer.encode(std::string(5000, 'a')).error().message,
            "A text of at most 4096 bytes is split into tokens.");
  EXPECT_EQ(tokenizer.encode("").error().message, "This text has no tokens.");
  EXPECT_EQ(tokenizer.encode("\xC3").error().message, "The text is not UTF-8.");
  Parsed growing = fixture("gpt2")["tokenizer"];
  growing["normalizer"] = {
      {"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", std::string(60, 'b')}};
  EXPECT_EQ(tokenizer_of(growing).encode(std::string(400, 'a')).error().message,
            "The tokenizer makes more than 16384 bytes of this text.");
}

}  // namespace
}  // namespace files
