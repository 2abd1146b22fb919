// What is said beside a vocabulary, and what the classes of Hugging Face's Transformers make of it.
#include "files/tokenizers/vocabularies/vocabulary_files.hpp"

#include "files/tokenizers/reading.hpp"
#include "files/tokenizers/tokenizer_files.hpp"

namespace files {
namespace {

using Contents = std::vector<std::pair<std::string, std::string>>;

/// The words of a text by the tokenizer of these files; or the sentence that they are refused with.
std::string words_by(const Contents& contents, std::string_view text) {
  TokenizerFiles files;
  for (const auto& [name, content] : contents) files.add(name, content);
  const auto read = files.read();
  return read ? words_of(*files.tokenizer(), text) : read.error().message;
}

constexpr const char* bert = "[UNK]\n[CLS]\n[SEP]\n[MASK]\nhello\nHello\ncafe\ncafé\n猫\n!\n<e>\n";
std::string with_config(const std::string& config, std::string_view text,
                        const Contents& more = {}) {
  Contents all = {{"vocab.txt", bert}, {"tokenizer_config.json", config}};
  all.insert(all.end(), more.begin(), more.end());
  return words_by(all, text);
}

TEST(VocabularyFiles, SayWhetherLettersAreMadeSmall) {
  EXPECT_EQ(words_by({{"vocab.txt", bert}}, "Hello Café"), "[CLS]|Hello|[UNK]|[SEP]");
  EXPECT_EQ(with_config(R"({"do_lower_case": true})", "Hello Café"), "[CLS]|hello|cafe|[SEP]");
  EXPECT_EQ(with_config(R"({"do_lower_case": false})", "Hello café"), "[CLS]|Hello|café|[SEP]");
  EXPECT_EQ(with_config("{}", "Hello"), "[CLS]|hello|[SEP]") << "as Transformers does";
  EXPECT_EQ(with_config(R"({"do_lower_case": true, "strip_accents": false})", "Café"),
            "[CLS]|café|[SEP]");
  EXPECT_EQ(with_config(R"({"do_lower_case": false, "strip_accents": true})", "café"),
            "[CLS]|cafe|[SEP]");
  EXPECT_EQ(with_config(R"({"strip_accents": null})", "Café"), "[CLS]|cafe|[SEP]");
}

TEST(VocabularyFiles, SayWhetherChineseCharactersAreWords) {
  EXPECT_EQ(with_config("{}", "猫猫"), "[CLS]|猫|猫|[SEP]");
  EXPECT_EQ(with_config(R"({"tokenize_chinese_chars": false})", "猫猫"), "[CLS]|[UNK]|[SEP]");
}

TEST(VocabularyFiles, SayWhatStandsAroundATextAndForTheUnknown) {
  EXPECT_EQ(
      with_config(R"({"cls_token": "<e>", "sep_token": {"content": "!"}, "unk_token": "[MASK]"})",
                  "hello x"),
      "<e>|hello|[MASK]|!");
  EXPECT_EQ(with_config("{}", "hello", {{"special_tokens_map.json", R"({"cls_token": "<e>"})"}}),
            "<e>|hello|[SEP]");
  EXPECT_EQ(with_config(R"({"tokenizer_class": "BertTokenizerFast", "cls_token": "[CLS]"})",
                        "hello", {{"special_tokens_map.json", R"({"cls_token": "<e>"})"}}),
            "<e>|hello|[SEP]")
      << "the older file counts where there is no added_tokens_decoder";
}

TEST(VocabularyFiles, AddTokensWithTheirSpaces) {
  const std::string decoder = R"({"added_tokens_decoder": {
      "3": {"content": "[MASK]", "lstrip": true, "special": true},
      "20": {"content": "NewTok", "normalized": true},
      "21": {"content": "<R>", "rstrip": true, "single_word": true}}})";
  EXPECT_EQ(with_config(decoder, "a NEWTOK [MASK]hello <R>  !"),
            "[CLS]|[UNK]|NewTok|[MASK]|hello|<R>|!|[SEP]");
  EXPECT_EQ(with_config(decoder, "hello <R>hello"), "[CLS]|hello|[UNK]|[UNK]|[UNK]|hello|[SEP]")
      << "no word by itself";
}

TEST(VocabularyFiles, AddedTokensOfTheOlderFileAreNormalised) {
  TokenizerFiles files;
  files.add("vocab.txt", bert);
  files.add("tokenizer_config.json", R"({"do_lower_case": true})");
  files.add("added_tokens.json", R"({"NewTok": 11, "<sp>": 12})");
  files.add("special_tokens_map.json", R"({"additional_special_tokens": ["<sp>", "<SP2>"]})");
  ASSERT_TRUE(files.read());
  EXPECT_EQ(encoded(*files.tokenizer(), "newtok NEWTOK <sp> <SP2>"), (Ids{1, 11, 11, 12, 13, 2}))
      << "one without an id stands behind all others";
  EXPECT_EQ(encoded(*files.tokenizer(), "<sp2>"), (Ids{1, 0, 0, 0, 2})) << "special ones are not";
}

TEST(VocabularyFiles, CountInAnyOrder) {
  const Contents files = {{"special_tokens_map.json", R"({"cls_token": "<e>"})"},
                          {"tokenizer_config.json", R"({"do_lower_case": true})"},
                          {"bert-vocab.txt", bert}};
  EXPECT_EQ(words_by(files, "HELLO"), "<e>|hello|[SEP]");
}

constexpr const char* clip_vocab =
    R"({"h":0,"e":1,"l":2,"o":3,"o</w>":4,"h</w>":5,"!</w>":6,"he":7,"ll":8,"hell":9,"hello</w>":10,
        "<|startoftext|>":11,"<|endoftext|>":12,"1</w>":13,"2</w>":14,"'":15,"s":16,"s</w>":17,"'s</w>":18})";
constexpr const char* clip_merges = "#version: 0.2\nh e\nl l\nhe ll\nhell o</w>\n' s</w>\n";

TEST(VocabularyFiles, MergesThatEndWordsAreOfClip) {
  const Contents files = {{"vocab.json", clip_vocab}, {"merges.txt", clip_merges}};
  EXPECT_EQ(words_by(files, "hello"), "<|startoftext|>|hello</w>|<|endoftext|>");
  EXPECT_EQ(words_by(files, "  HELLO hello's\n\n12! h"),
            "<|startoftext|>|hello</w>|hello</w>|'s</w>|1</w>|2</w>|!</w>|h</w>|<|endoftext|>");
  EXPECT_EQ(words_by(files, "<|startoftext|>hello<|endoftext|>x"),
            "<|startoftext|>|<|startoftext|>|hello</w>|<|endoftext|>|<|endoftext|>|<|endoftext|>");
}

TEST(VocabularyFiles, MergesThatEndWordsAreOfGpt1) {
  const std::string vocab =
      R"({"<unk>":0,"h":1,"e":2,"l":3,"o</w>":4,"he":5,"ll":6,"hell":7,"hello</w>":8,"!</w>":9,"é":10})";
  const Contents files = {{"vocab.json", vocab}, {"merges.txt", "h e\nl l\nhe ll\nhell o</w>\n"}};
  EXPECT_EQ(words_by(files, "Hello! HÉLLO x"), "hello</w>|!</w>|hello</w>|<unk>");
}

TEST(VocabularyFiles, TheClassIsAsked) {
  const std::string vocab =
      R"({"a":0,"Ġa":1,"<s>":2,"</s>":3,"<|endoftext|>":4,"<mask>":5,"Ġ":6,"b":7})";
  const auto by = [&](const std::string& config, std::string_view text) {
    return words_by(
        {{"vocab.json", vocab}, {"merges.txt", "Ġ a\n"}, {"tokenizer_config.json", config}}, text);
  };
  EXPECT_EQ(by("{}", "a a"), "<s>|a|▁a|</s>");
  EXPECT_EQ(by(R"({"tokenizer_class": "GPT2Tokenizer"})", "a a"), "a|▁a");
  EXPECT_EQ(
      by(R"({"tokenizer_class": "GPT2Tokenizer", "add_bos_token": true, "bos_token": "</s>"})",
         "a"),
      "</s>|a")
      << "as OPT has it";
  EXPECT_EQ(by(R"({"tokenizer_class": "GPT2TokenizerFast", "add_prefix_space": true})", "a a"),
            "▁a|▁a");
  EXPECT_EQ(by(R"({"tokenizer_class": "RobertaTokenizer"})", "a <mask> a"), "<s>|a|<mask>|▁a|</s>")
      << "the space before a mask is the mask's";
  EXPECT_EQ(by(R"({"tokenizer_class": "BlenderbotTokenizer", "add_prefix_space": true})", "a"),
            "▁a|</s>");
  EXPECT_EQ(by(R"({"tokenizer_class": "XLMTokenizer"})", "a"),
            "\"merges.txt\": Tokenizers of the class \"XLMTokenizer\", which tokenizer_config.json "
            "names, are not known here.");
  EXPECT_EQ(by(R"({"tokenizer_class": "BertTokenizer"})", "a"),
            "\"merges.txt\": Tokenizers of the class \"BertTokenizer\", which "
            "tokenizer_config.json names, are not known here.");
  EXPECT_EQ(by(R"({"tokenizer_class": "PreTrainedTokenizerFast"})", "a"), "<s>|a|</s>");
}

TEST(VocabularyFiles, TokenizerJsonSaysItAllItself) {
  const Contents files = {
      {"tokenizer_config.json", R"({"tokenizer_class": "XLMTokenizer", "cls_token": "[CLS]"})"},
      {"vocab.txt", bert},
      {"tokenizer.json",
       R"({"model": {"type": "WordLevel", "unk_token": "?", "vocab": {"a": 0, "?": 1}}})"}};
  EXPECT_EQ(words_by(files, "a"), "a");
}

TEST(VocabularyFiles, WhatIsMissingIsSaid) {
  EXPECT_EQ(words_by({{"vocab.json", "{\"a\": 0}"}}, ""),
            "vocab.json and merges.txt belong together: merges.txt is missing.");
  EXPECT_EQ(words_by({{"merges.txt", "a b"}}, ""),
            "vocab.json and merges.txt belong together: vocab.json is missing.");
  EXPECT_EQ(
      words_by({{"added_tokens.json", "{}"}}, ""),
      "\"added_tokens.json\" alone is no tokenizer: tokenizer.json, vocab.txt, or vocab.json with "
      "merges.txt is missing.");
  EXPECT_EQ(with_config("[]", "a"),
            "\"tokenizer_config.json\" is missing, or not as it should be.");
  EXPECT_EQ(with_config("{}", "a", {{"added_tokens.json", R"({"x": -1})"}}),
            "\"added_tokens.json\" is missing, or not as it should be.");
}

}  // namespace
}  // namespace files
