// libFuzzer: whatever the files say, a tokenizer is read or refused with a sentence, and one that
// is read splits any text into tokens with ids and words, or says why not. What is before the first
// 0 is the text, what is behind it the file; a second 0 parts vocab.json from merges.txt.
#include <algorithm>

#include "files/tokenizers/tokenizer.hpp"
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::vector<std::byte> copy = fuzz::exact_copy(data, size);
  const std::string_view all(reinterpret_cast<const char*>(copy.data()), copy.size());
  const std::size_t end = std::min(all.find('\0'), all.size());
  const std::string_view text = all.substr(0, end);
  const std::string_view file = all.substr(std::min(end + 1, all.size()));
  const std::size_t part = std::min(file.find('\0'), file.size());
  check(files::read_tokenizer_json(file), text);
  check(files::read_word_list(file), text);
  check(files::read_vocab_and_merges(file.substr(0, part),
                                     file.substr(std::min(part + 1, file.size()))),
        text);
  return 0;
}
