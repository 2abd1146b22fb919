// What the tests of tokenizers have in common.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "files/tokenizers/tokenizer.hpp"

namespace files {

using Parsed = nlohmann::ordered_json;
using Ids = std::vector<std::uint32_t>;

inline Tokenizer tokenizer_of(const Parsed& described) {
  const auto tokenizer = read_tokenizer_json(described.dump());
  EXPECT_TRUE(tokenizer) << (tokenizer ? "" : tokenizer.error().message);
  return tokenizer ? *tokenizer : Tokenizer();
}

/// The sentence that it is refused with.
inline std::string problem_of(const Parsed& described) {
  const auto tokenizer = read_tokenizer_json(described.dump());
  return tokenizer ? "" : tokenizer.error().message;
}

inline Ids encoded(const Tokenizer& tokenizer, std::string_view text) {
  const auto encoding = tokenizer.encode(text);
  return encoding ? encoding->ids : Ids();
}

/// The words, with a bar between them; or the sentence that the text is refused with.
inline std::string words_of(const Tokenizer& tokenizer, std::string_view text) {
  const auto encoding = tokenizer.encode(text);
  if (!encoding) return encoding.error().message;
  std::string all;
  for (const std::string& word : encoding->words) all += (all.empty() ? "" : "|") + word;
  return all;
}

/// A model whose tokens are the pieces that a text is split into.
inline Tokenizer splitter(const Parsed& pre_tokenizer, const std::vector<std::string>& pieces) {
  Parsed vocab = {{"?", 0}};
  for (const std::string& piece : pieces) vocab.emplace(piece, vocab.size());
  return tokenizer_of({{"pre_tokenizer", pre_tokenizer},
                       {"model", {{"type", "WordLevel"}, {"unk_token", "?"}, {"vocab", vocab}}}});
}

}  // namespace files
