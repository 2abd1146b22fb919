// vocab.txt, and vocab.json with merges.txt, which are older than tokenizer.json. They say nothing
// of normalisation and words: that is as in the models that have such files, BERT and GPT-2.
#include <algorithm>

#include "base/text.hpp"
#include "files/tokenizers/described.hpp"
#include "files/tokenizers/tokenizer.hpp"
#include "files/tokenizers/vocabulary_reader.hpp"

namespace files {
namespace {

using base::fail;
using base::Result;

/// The lines of a file, without their ends.
std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Those of these tokens that the model has, to be found in a text.
AddedTokens found_in_text(const Vocabulary& vocabulary,
                          std::initializer_list<std::string_view> names) {
  std::vector<AddedToken> tokens;
  for (const std::string_view name : names) {
    if (const auto id = id_of(vocabulary, name))
      tokens.push_back({.token = {*id, std::string(name)}});
  }
  return AddedTokens(std::move(tokens));
}

/// Puts two tokens around every text where the model has both.
void put_around(const Vocabulary& vocabulary, std::string_view first, std::string_view last,
                Tokenizer& to) {
  const auto first_id = id_of(vocabulary, first);
  const auto last_id = id_of(vocabulary, last);
  if (!first_id || !last_id) return;
  to.before.push_back({*first_id, std::string(first)});
  to.after.push_back({*last_id, std::string(last)});
}

/// A vocabulary without capital letters is of a model that makes all letters small.
bool has_capitals(std::string_view token) {
  const bool is_special = token.starts_with('[') && token.ends_with(']');
  return !is_special && std::any_of(token.begin(), token.end(),
                                    [](char byte) { return byte >= 'A' && byte <= 'Z'; });
}

}  // namespace

Result<Tokenizer> read_word_list(std::string_view text) {
  if (const auto checked = check_tokenizer_file(text); !checked) return fail(checked.error());
  WordPiece model;
  bool is_cased = false;
  std::uint32_t id = 0;
  for (const std::string_view line : lines_of(text)) {
    if (id == max_tokens || line.size() > longest_token) return not_as_it_should_be("vocab.txt");
    is_cased |= has_capitals(line);
    model.vocabulary.insert_or_assign(std::string(line), id++);
  }
  const auto unknown = id_of(model.vocabulary, "[UNK]");
  if (!unknown) return not_as_it_should_be("[UNK]");
  model.unknown = {*unknown, "[UNK]"};
  Tokenizer made;
  made.added = found_in_text(model.vocabulary, {"[UNK]", "[CLS]", "[SEP]", "[MASK]", "[PAD]"});
  made.normalizers.emplace_back(BertNormalizer{.strip_accents = !is_cased, .lowercase = !is_cased});
  made.splits.push_back(at_spaces_and_punctuation());
  put_around(model.vocabulary, "[CLS]", "[SEP]", made);
  made.model = std::move(model);
  return made;
}

Result<Tokenizer> read_vocab_and_merges(std::string_view vocab, std::string_view merges) {
  for (const std::string_view file : {vocab, merges}) {
    if (const auto checked = check_tokenizer_file(file); !checked) return fail(checked.error());
  }
  BytePairs model;
  base::JsonReader reader(vocab);
  if (!read_vocabulary_object(reader, model.vocabulary) || !reader.at_end() ||
      model.vocabulary.empty())
    return not_as_it_should_be("vocab.json");
  std::vector<std::string> lines;
  for (const std::string_view line : lines_of(merges)) {
    if (line.empty() || (lines.empty() && line.starts_with("#version"))) continue;
    if (lines.size() == max_tokens) return not_as_it_should_be("merges.txt");
    lines.emplace_back(line);
  }
  if (const auto added = add_merges(lines, model); !added) return fail(added.error());
  Tokenizer made;
  made.is_of_bytes = true;
  made.added =
      found_in_text(model.vocabulary, {"<|endoftext|>", "<s>", "</s>", "<pad>", "<unk>", "<mask>"});
  made.splits.push_back(byte_level(false, true));
  put_around(model.vocabulary, "<s>", "</s>", made);  // RoBERTa and BART
  made.model = std::move(model);
  return made;
}

}  // namespace files
