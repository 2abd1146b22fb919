#include "files/tokenizers/tokenizer_files.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "base/text.hpp"
#include "files/quote.hpp"
#include "files/tokenizers/vocabularies/vocabulary_files.hpp"

namespace files {
namespace {

using base::fail;
using base::Result;

constexpr std::size_t vocabulary_count = 4;
/// Their places in tokenizer_file_names.
enum Kind : std::size_t { json, list, vocab, merges, config, specials, added };

/// The place of a name; behind the last where it is none of them.
std::size_t place_of(std::string_view name) {
  const auto found = std::find_if(tokenizer_file_names.begin(), tokenizer_file_names.end(),
                                  [&](std::string_view ending) { return name.ends_with(ending); });
  return static_cast<std::size_t>(found - tokenizer_file_names.begin());
}

}  // namespace

bool is_tokenizer_file(std::string_view name) {
  return place_of(name) < tokenizer_file_names.size();
}
bool is_vocabulary_file(std::string_view name) { return place_of(name) < vocabulary_count; }

void TokenizerFiles::add(const std::string& name, std::string_view content) {
  const std::size_t place = place_of(name);
  if (place < files_.size()) files_[place] = {name, std::string(content)};
}

bool TokenizerFiles::has_vocabulary() const {
  return std::any_of(files_.begin(), files_.begin() + vocabulary_count,
                     [](const File& file) { return !file.name.empty(); });
}

Result<void> TokenizerFiles::read() {
  const auto is_there = [&](Kind kind) { return !files_[kind].name.empty(); };
  const auto content_of = [&](Kind kind) { return std::string_view(files_[kind].content); };
  const auto keep = [&](Kind from, Result<Tokenizer> made) -> Result<void> {
    if (!made) return fail(in_quotes(files_[from].name) + ": " + made.error().message);
    tokenizer_ = *std::move(made);
    for (File& file : files_) file.content = {};
    return {};
  };
  if (is_there(json)) return keep(json, read_tokenizer_json(content_of(json)));
  const bool has_pair = is_there(vocab) && is_there(merges);
  if (!is_there(list) && !has_pair) return fail(missing());
  const auto said = read_tokenizer_config(
      {.config = content_of(config), .specials = content_of(specials), .added = content_of(added)});
  if (!said) return fail(said.error());
  if (is_there(list)) return keep(list, read_word_list(content_of(list), *said));
  auto vocabulary = read_vocab(content_of(vocab));
  if (!vocabulary) return keep(vocab, fail(vocabulary.error()));
  return keep(merges, read_merges(*std::move(vocabulary), content_of(merges), *said));
}

std::string TokenizerFiles::missing() const {
  for (const auto& [there, other] : {std::pair(vocab, merges), std::pair(merges, vocab)}) {
    if (!files_[there].name.empty()) {
      return base::text("files.tokenizer.pair", {{"missing", tokenizer_file_names[other]}});
    }
  }
  const auto said = std::find_if(files_.begin(), files_.end(),
                                 [](const File& file) { return !file.name.empty(); });
  return base::text("files.tokenizer.no_vocabulary",
                    {{"name", in_quotes(said == files_.end() ? "" : said->name)}});
}

}  // namespace files
