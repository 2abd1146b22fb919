// tokenizer.json, which Hugging Face's library of tokenizers writes. Its vocabulary is read without
// building values of it; everything else is short.
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/decimal.hpp"
#include "base/json/json_reader.hpp"
#include "base/text.hpp"
#include "files/quote.hpp"
#include "files/tokenizers/described.hpp"
#include "files/tokenizers/tokenizer.hpp"
#include "files/tokenizers/vocabulary_reader.hpp"

namespace files {
namespace {

using base::fail;
using base::Json;
using base::JsonReader;
using base::Result;

/// A member that is built as a value.
constexpr std::size_t longest_member = std::size_t{1} << 20U;

/// The members of the file that are wanted, and those of its model.
struct Contents {
  Json whole = Json::object();
  Json model = Json::object();
  Vocabulary vocabulary;
  std::vector<std::pair<std::string, double>> scored;  ///< of Unigram: tokens with their scores
  std::vector<std::string> merges;                     ///< two tokens with a space between them
  bool has_model = false;
};

/// Reads the file from front to back. Each function is false where it is not as it should be, and
/// `wrong` names what.
class ContentsReader {
 public:
  explicit ContentsReader(std::string_view json) : json_(json), reader_(json) {}

  bool read() {
    wrong = "tokenizer.json";
    return members([this](const std::string& name) {
             if (name != "model") return member(name, contents.whole);
             contents.has_model = true;
             return read_model();
           }) &&
           reader_.at_end();
  }

  Contents contents;
  std::string wrong;

 private:
  /// An object, of which `take` reads the value of each member.
  template <typename Take>
  bool members(Take take) {
    if (!reader_.take('{')) return false;
    if (reader_.take('}')) return true;
    do {
      std::string name;
      if (!reader_.read_text(name) || !reader_.take(':') || !take(name)) return false;
    } while (reader_.take(','));
    return reader_.take('}');
  }

  bool read_model() {
    return members([this](const std::string& name) {
      if (name == "vocab") return named(name, reader_.at_value() && read_vocabulary());
      if (name == "merges") return named(name, read_merges());
      return member(name, contents.model);
    });
  }

  bool named(const std::string& name, bool is_read) {
    if (!is_read) wrong = name;
    return is_read;
  }

  bool read_vocabulary() {
    if (read_vocabulary_object(reader_, contents.vocabulary)) return true;
    if (!contents.vocabulary.empty() || !reader_.take('[')) return false;
    if (reader_.take(']')) return true;
    do {
      std::string token;
      if (contents.scored.size() == max_tokens || !reader_.take('[') || !reader_.read_text(token) ||
          token.size() > longest_token || !reader_.take(','))
        return false;
      const std::optional<double> score = base::read_decimal(reader_.read_number());
      if (!score || !std::isfinite(*score) || !reader_.take(']')) return false;
      contents.scored.emplace_back(std::move(token), *score);
    } while (reader_.take(','));
    return reader_.take(']');
  }

  /// "a b", or since 2024 ["a","b"].
  bool read_merges() {
    if (!reader_.take('[')) return false;
    if (reader_.take(']')) return true;
    do {
      std::string first;
      std::string second;
      if (contents.merges.size() == max_tokens) return false;
      if (reader_.take('[')) {
        if (!reader_.read_text(first) || !reader_.take(',') || !reader_.read_text(second) ||
            !reader_.take(']'))
          return false;
        first += ' ' + second;
      } else if (!reader_.read_text(first)) {
        return false;
      }
      contents.merges.push_back(std::move(first));
    } while (reader_.take(','));
    return reader_.take(']');
  }

  /// Any other member: built as a value where it is short.
  bool member(const std::string& name, Json& to) {
    reader_.at_value();  // no space before it
    const std::size_t begin = reader_.place();
    if (!skip_value(0)) return false;
    const std::size_t length = reader_.place() - begin;
    if (length > longest_member) return named(name, false);
    Json value = Json::parse(json_.substr(begin, length));
    if (!value.is_valid()) return named(name, false);
    to.add(name, std::move(value));
    return true;
  }

  bool skip_value(int depth) {
    constexpr int deepest = 64;
    if (depth == deepest) return false;
    std::string text;
    if (reader_.at_text()) return reader_.read_text(text);
    if (reader_.take('[')) {
      if (reader_.take(']')) return true;
      do {
        if (!skip_value(depth + 1)) return false;
      } while (reader_.take(','));
      return reader_.take(']');
    }
    if (reader_.take('{')) {
      if (reader_.take('}')) return true;
      do {
        if (!reader_.read_text(text) || !reader_.take(':') || !skip_value(depth + 1)) return false;
      } while (reader_.take(','));
      return reader_.take('}');
    }
    for (const char* word : {"null", "true", "false"}) {
      if (reader_.take_word(word)) return true;
    }
    return !reader_.read_number().empty();
  }

  std::string_view json_;
  JsonReader reader_;
};

const Json& member_of(const Json& whole, std::string_view name) {
  static const Json none;
  const Json* found = whole.find(name);
  return found == nullptr ? none : *found;
}

std::optional<std::uint32_t> id_in(const Json& value) {
  if (!value.is_whole() || value.number() > std::numeric_limits<std::uint32_t>::max())
    return std::nullopt;
  return static_cast<std::uint32_t>(value.number());
}

Result<AddedTokens> added_tokens(const Json& described) {
  std::vector<AddedToken> tokens;
  for (const Json& each : described.elements()) {
    AddedToken made;
    const auto id = id_in(member_of(each, "id"));
    made.token.text = text_of(each, "content");
    if (!id || made.token.text.empty()) return not_as_it_should_be("added_tokens");
    made.token.id = *id;
    made.strip_left = flag(each, "lstrip", false);
    made.strip_right = flag(each, "rstrip", false);
    made.single_word = flag(each, "single_word", false);
    made.normalized = flag(each, "normalized", false);
    tokens.push_back(std::move(made));
  }
  return AddedTokens(std::move(tokens));
}

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

Result<void> add_byte_pairs(Contents& contents, Tokenizer& to) {
  BytePairs model;
  model.vocabulary = std::move(contents.vocabulary);
  model.fuse_unknown = flag(contents.model, "fuse_unk", false);
  model.byte_fallback = flag(contents.model, "byte_fallback", false);
  model.ignore_merges = flag(contents.model, "ignore_merges", false);
  model.inner_prefix = text_of(contents.model, "continuing_subword_prefix");
  model.end_suffix = text_of(contents.model, "end_of_word_suffix");
  const std::string unknown = text_of(contents.model, "unk_token");
  if (const auto id = id_of(model.vocabulary, unknown)) model.unknown = Token{*id, unknown};
  if (auto added = add_merges(contents.merges, model); !added) return added;
  to.model = std::move(model);
  return {};
}

Result<void> add_word_piece(Contents& contents, Tokenizer& to) {
  constexpr double longest_word = 200.0;
  WordPiece model;
  model.vocabulary = std::move(contents.vocabulary);
  if (contents.model.find("continuing_subword_prefix") != nullptr)
    model.inner_prefix = text_of(contents.model, "continuing_subword_prefix");
  const Json& longest = member_of(contents.model, "max_input_chars_per_word");
  if (!longest.is_null()) {
    if (!longest.is_whole() || longest.number() > longest_word)
      return not_as_it_should_be("max_input_chars_per_word");
    model.longest_word = static_cast<std::size_t>(longest.number());
  }
  std::string unknown = text_of(contents.model, "unk_token");
  if (unknown.empty()) unknown = "[UNK]";
  const auto id = id_of(model.vocabulary, unknown);
  if (!id) return not_as_it_should_be("unk_token");
  model.unknown = {*id, std::move(unknown)};
  to.model = std::move(model);
  return {};
}

Result<void> add_unigram(Contents& contents, Tokenizer& to) {
  Unigram model;
  for (auto& [token, score] : contents.scored) {
    const auto id = static_cast<std::uint32_t>(model.scores.size());
    model.longest = std::max(model.longest, token.size());
    model.lowest = std::min(model.lowest, score);
    model.scores.push_back(score);
    model.vocabulary.emplace(std::move(token), id);
  }
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

/// Older files do not name it.
std::string model_type(const Contents& contents) {
  std::string type = text_of(contents.model, "type");
  if (!type.empty()) return type;
  return !contents.scored.empty() ? "Unigram" : !contents.merges.empty() ? "BPE" : "WordPiece";
}

}  // namespace

Result<Tokenizer> read_tokenizer_json(std::string_view json) {
  if (const auto checked = check_tokenizer_file(json); !checked) return fail(checked.error());
  ContentsReader reader(json);
  if (!reader.read()) return not_as_it_should_be(reader.wrong);
  Contents& contents = reader.contents;
  if (!contents.has_model || (contents.vocabulary.empty() && contents.scored.empty()))
    return not_as_it_should_be("vocab");
  Tokenizer made;
  const std::string type = model_type(contents);
  const bool is_scored = !contents.scored.empty();
  if (type != "BPE" && type != "WordPiece" && type != "Unigram") return unknown_part("model", type);
  if (is_scored != (type == "Unigram")) return not_as_it_should_be("vocab");
  const Result<void> added = type == "BPE"         ? add_byte_pairs(contents, made)
                             : type == "WordPiece" ? add_word_piece(contents, made)
                                                   : add_unigram(contents, made);
  if (!added) return fail(added.error());
  const Json& whole = contents.whole;
  if (const auto done = add_normalizers(member_of(whole, "normalizer"), made.normalizers); !done)
    return fail(done.error());
  if (const auto done =
          add_splits(member_of(whole, "pre_tokenizer"), made.splits, made.is_of_bytes);
      !done)
    return fail(done.error());
  if (const auto done = add_around(member_of(whole, "post_processor"), made); !done)
    return fail(done.error());
  Result<AddedTokens> tokens = added_tokens(member_of(whole, "added_tokens"));
  if (!tokens) return fail(tokens.error());
  made.added = *std::move(tokens);
  return made;
}

}  // namespace files
