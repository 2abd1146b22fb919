// tokenizer.json, which Hugging Face's library of tokenizers writes.
#include <algorithm>

#include "files/tokenizers/described.hpp"
#include "files/tokenizers/json/contents.hpp"
#include "files/tokenizers/tokenizer.hpp"

namespace files {
namespace {

using base::fail;
using base::Json;
using base::Result;

/// BERT's: ["[CLS]", 101].
bool add_pair(const Json& pair, std::vector<Token>& to) {
  if (pair.size() != 2 || pair.elements()[0].text() == nullptr) return false;
  const auto id = id_in(pair.elements()[1]);
  if (!id) return false;
  to.push_back({*id, *pair.elements()[0].text()});
  return true;
}

/// The tokens that a template has around the text.
bool add_template(const Json& described, Tokenizer& to) {
  const Json& all = member_of(described, "special_tokens");
  bool is_behind = false;
  for (const Json& each : member_of(described, "single").elements()) {
    if (each.find("Sequence") != nullptr) {
      if (is_behind) return false;
      is_behind = true;
      continue;
    }
    const Json& token = member_of(all, text_of(member_of(each, "SpecialToken"), "id"));
    const Json& ids = member_of(token, "ids");
    const Json& words = member_of(token, "tokens");
    if (ids.empty() || ids.size() != words.size()) return false;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const auto id = id_in(ids.elements()[i]);
      if (!id || words.elements()[i].text() == nullptr) return false;
      (is_behind ? to.after : to.before).push_back({*id, *words.elements()[i].text()});
    }
  }
  return is_behind;
}

Result<void> add_around(const Json& described, Tokenizer& to) {
  return for_each_part(described, "post_processor", "processors",
                       [&](std::string_view type, const Json& part) -> Result<void> {
                         if (type == "ByteLevel")
                           return {};  // it moves places in the text, not tokens
                         bool is_read = false;
                         if (type == "TemplateProcessing")
                           is_read = add_template(part, to);
                         else if (type == "BertProcessing" || type == "RobertaProcessing")
                           is_read = add_pair(member_of(part, "cls"), to.before) &&
                                     add_pair(member_of(part, "sep"), to.after);
                         else
                           return unknown_part("post_processor", type);
                         if (!is_read) return not_as_it_should_be(type);
                         return {};
                       });
}

/// The token that stands for unknown words, if the vocabulary has it.
std::optional<Token> unknown_in(const Contents& contents, std::string_view usual) {
  std::string text = text_of(contents.model, "unk_token");
  if (text.empty()) text = usual;
  const auto id = id_of(contents.vocabulary, text);
  return id ? std::optional(Token{*id, std::move(text)}) : std::nullopt;
}

Result<void> add_byte_pairs(Contents& contents, Tokenizer& to) {
  BytePairs model;
  model.unknown = unknown_in(contents, "");
  model.vocabulary = std::move(contents.vocabulary);
  model.fuse_unknown = flag(contents.model, "fuse_unk", false);
  model.byte_fallback = flag(contents.model, "byte_fallback", false);
  model.ignore_merges = flag(contents.model, "ignore_merges", false);
  model.inner_prefix = text_of(contents.model, "continuing_subword_prefix");
  model.end_suffix = text_of(contents.model, "end_of_word_suffix");
  if (auto added = add_merges(contents.merges, model); !added) return added;
  to.model = std::move(model);
  return {};
}

Result<void> add_word_piece(Contents& contents, Tokenizer& to) {
  WordPiece model;
  model.unknown = unknown_in(contents, "[UNK]");
  if (contents.model.find("continuing_subword_prefix") != nullptr)
    model.inner_prefix = text_of(contents.model, "continuing_subword_prefix");
  const Json& longest = member_of(contents.model, "max_input_chars_per_word");
  if (!longest.is_null()) {
    if (!longest.is_whole()) return not_as_it_should_be("max_input_chars_per_word");
    // No word is longer than a text.
    model.longest_word =
        static_cast<std::size_t>(std::min(longest.number(), static_cast<double>(most_normalized)));
  }
  model.tokens = index_of(contents.vocabulary);
  to.model = std::move(model);
  return {};
}

Result<void> add_word_level(Contents& contents, Tokenizer& to) {
  WordLevel model;
  model.unknown = unknown_in(contents, "<unk>");
  model.vocabulary = std::move(contents.vocabulary);
  to.model = std::move(model);
  return {};
}

Result<void> add_unigram(Contents& contents, Tokenizer& to) {
  Unigram model;
  std::vector<TokenIndex::Entry> entries;
  for (auto& [token, score] : contents.scored) {
    model.lowest = std::min(model.lowest, score);
    entries.emplace_back(std::move(token), static_cast<std::uint32_t>(model.scores.size()));
    model.scores.push_back(score);
  }
  std::reverse(entries.begin(), entries.end());  // of several that are alike the last counts
  model.tokens = TokenIndex(std::move(entries));
  const Json& unknown = member_of(contents.model, "unk_id");
  if (!unknown.is_null()) {
    model.unknown = id_in(unknown);
    if (!model.unknown || *model.unknown >= model.scores.size())
      return not_as_it_should_be("unk_id");
  }
  model.byte_fallback = flag(contents.model, "byte_fallback", false);
  to.model = std::move(model);
  return {};
}

struct ModelType {
  std::string_view name;
  Result<void> (*add)(Contents& contents, Tokenizer& to);
};
constexpr ModelType model_types[] = {{"BPE", add_byte_pairs},
                                     {"WordPiece", add_word_piece},
                                     {"WordLevel", add_word_level},
                                     {"Unigram", add_unigram}};

/// Older files do not name it.
std::string model_type(const Contents& contents) {
  std::string type = text_of(contents.model, "type");
  if (!type.empty()) return type;
  if (!contents.scored.empty()) return "Unigram";
  if (!contents.merges.empty()) return "BPE";
  const bool has_unknown = contents.model.find("unk_token") != nullptr;
  const bool has_pieces = contents.model.find("continuing_subword_prefix") != nullptr;
  return has_unknown && !has_pieces ? "WordLevel" : "WordPiece";
}

}  // namespace

Result<Tokenizer> read_tokenizer_json(std::string_view json) {
  if (const auto checked = check_tokenizer_file(json); !checked) return fail(checked.error());
  Result<Contents> read = read_contents(json);
  if (!read) return fail(read.error());
  Contents& contents = *read;
  if (!contents.has_model || (contents.vocabulary.empty() && contents.scored.empty()))
    return not_as_it_should_be("vocab");
  Tokenizer made;
  const std::string type = model_type(contents);
  const auto known = std::find_if(std::begin(model_types), std::end(model_types),
                                  [&](const ModelType& each) { return each.name == type; });
  if (known == std::end(model_types)) return unknown_part("model", type);
  if (contents.scored.empty() == (type == "Unigram")) return not_as_it_should_be("vocab");
  if (const auto added = known->add(contents, made); !added) return fail(added.error());
  const Json& whole = contents.whole;
  if (const auto done = add_normalizers(member_of(whole, "normalizer"), made.normalizers); !done)
    return fail(done.error());
  if (const auto done =
          add_splits(member_of(whole, "pre_tokenizer"), made.splits, made.is_of_bytes);
      !done)
    return fail(done.error());
  if (const auto done = add_around(member_of(whole, "post_processor"), made); !done)
    return fail(done.error());
  Result<AddedTokens> tokens = AddedTokens::of(std::move(contents.added), made.normalizers);
  if (!tokens) return fail(tokens.error());
  made.added = *std::move(tokens);
  return made;
}

}  // namespace files
