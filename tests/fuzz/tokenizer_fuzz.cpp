// libFuzzer: whatever the files say, a tokenizer is read or refused with a sentence, and one that
// is read splits any text into tokens with ids and words, or says why not. Zeros part the text, the
// file (which is tried as a regular expression, too), merges.txt, tokenizer_config.json,
// special_tokens_map.json and added_tokens.json.
#include <algorithm>
#include <array>

#include "files/tokenizers/characters/unicode.hpp"
#include "files/tokenizers/regex/regex.hpp"
#include "files/tokenizers/vocabularies/vocabulary_files.hpp"
#include "safetensors_mutator.hpp"

using fuzz::require;

namespace {

void check(const base::Result<files::Tokenizer>& tokenizer, std::string_view text) {
  if (!tokenizer) return fuzz::require_sentence(tokenizer.error().message);
  const auto encoding = tokenizer->encode(text);
  if (!encoding) return fuzz::require_sentence(encoding.error().message);
  require(!encoding->ids.empty() && encoding->ids.size() == encoding->words.size());
  for (const std::string& word : encoding->words)
    require(utf8::find_invalid(word.begin(), word.end()) == word.end());
  const auto again = tokenizer->encode(text);
  require(again && again->ids == encoding->ids);
}

/// As a pre_tokenizer or a normalizer would use it.
void check_regex(std::string_view pattern, std::string_view text) {
  const auto is_text = [](std::string_view bytes) {
    return utf8::find_invalid(bytes.begin(), bytes.end()) == bytes.end();
  };
  if (!is_text(pattern) || !is_text(text) || text.size() > files::max_tokenized_bytes) return;
  const auto regex = files::Regex::read(pattern);
  if (!regex) return fuzz::require_sentence(regex.error().message);
  const std::u32string characters = files::unicode::characters(text);
  const auto matches = regex->matches(characters);
  if (!matches) return fuzz::require_sentence(matches.error().message);
  std::size_t end = 0;
  for (const files::Part& part : *matches) {
    require(part.begin >= end && part.end >= part.begin && part.end <= characters.size());
    end = part.end;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::byte> copy = fuzz::exact_copy(data, size);
  std::string_view rest(reinterpret_cast<const char*>(copy.data()), copy.size());
  std::array<std::string_view, 6> parts;
  for (std::string_view& part : parts) {
    part = rest.substr(0, std::min(rest.find('\0'), rest.size()));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
  }
  const auto& [text, file, merges, config, specials, added] = parts;
  check(files::read_tokenizer_json(file), text);
  const auto beside = files::read_tokenizer_config({config, specials, added});
  if (!beside) fuzz::require_sentence(beside.error().message);
  check(files::read_word_list(file, beside.value_or(files::TokenizerConfig())), text);
  if (auto vocabulary = files::read_vocab(file))
    check(files::read_merges(*vocabulary, merges, beside.value_or(files::TokenizerConfig())), text);
  else
    fuzz::require_sentence(vocabulary.error().message);
  check_regex(file, text);
  return 0;
}
