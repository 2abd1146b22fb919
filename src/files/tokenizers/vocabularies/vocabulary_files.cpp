#include "files/tokenizers/vocabularies/vocabulary_files.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "files/quote.hpp"
#include "files/tokenizers/described.hpp"
#include "files/tokenizers/vocabularies/model_class.hpp"
#include "files/tokenizers/vocabularies/vocabulary_reader.hpp"

namespace files {
namespace {

using base::fail;
using base::Result;

constexpr std::string_view word_end = "</w>";

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

/// A vocabulary without capital letters is of a model that makes all letters small.
bool has_capitals(std::string_view token) {
  const bool is_special = token.starts_with('[') && token.ends_with(']');
  return !is_special && std::any_of(token.begin(), token.end(),
                                    [](char byte) { return byte >= 'A' && byte <= 'Z'; });
}

/// What the files beside a vocabulary say, with what is usual for the class where they do not.
class Beside {
 public:
  static Result<Beside> of(const TokenizerConfig& config, const Vocabulary& vocabulary,
                           bool is_list, bool has_word_ends) {
    Beside made(config, vocabulary);
    const std::string& name = made.config.model_class;
    // The general class says nothing of the form.
    const bool is_named = !name.empty() && !name.starts_with("PreTrainedTokenizer");
    made.model = is_named ? class_named(name) : &class_of(vocabulary, is_list, has_word_ends);
    const bool fits = made.model != nullptr && (made.model->form == Form::bert) == is_list;
    if (!fits) return fail(base::text("files.tokenizer.class", {{"name", in_quotes(name)}}));
    made.find_tokens();
    return made;
  }

  std::string text_of_role(Role role) const {
    const auto place = static_cast<std::size_t>(role);
    return config.roles[place].value_or(std::string(model->roles[place]));
  }

  /// The token for a part; nothing where the class has none, or the vocabulary.
  std::optional<Token> token(Role role) const {
    const std::string& text = text_of_role(role);
    const auto found = std::find_if(tokens.begin(), tokens.end(), [&](const AddedToken& each) {
      return each.token.text == text;
    });
    return found == tokens.end() ? std::nullopt : std::optional(found->token);
  }

  TokenizerConfig config;
  const ModelClass* model = nullptr;
  std::vector<AddedToken> tokens;

 private:
  Beside(const TokenizerConfig& given, const Vocabulary& vocabulary)
      : config(given), vocabulary_(vocabulary) {}

  /// Those of the files; then those of the class that the vocabulary has.
  void find_tokens() {
    std::uint32_t next = 0;
    for (const auto& [text, id] : vocabulary_) next = std::max(next, id + 1);
    for (const TokenizerConfig::Added& each : config.added) {
      if (each.has_id) next = std::max(next, each.token.token.id + 1);
    }
    for (TokenizerConfig::Added& each : config.added) {
      Token& token = each.token.token;
      if (!each.has_id) token.id = id_of(vocabulary_, token.text).value_or(next);
      if (token.id == next) ++next;
      tokens.push_back(std::move(each.token));
    }
    for (std::size_t i = 0; i < role_count; ++i) {
      const std::string_view text = model->roles[i];
      const auto id = id_of(vocabulary_, text);
      if (config.roles[i] || !id || this->token(static_cast<Role>(i))) continue;
      AddedToken made;
      made.token = {*id, std::string(text)};
      made.special = true;
      // RoBERTa's takes the space before it.
      made.strip_left = static_cast<Role>(i) == Role::mask && model->form == Form::gpt2;
      tokens.push_back(std::move(made));
    }
  }

  const Vocabulary& vocabulary_;
};

void add_around(const Beside& beside, Tokenizer& to) {
  const auto add = [&](Role role, std::vector<Token>& list) {
    if (auto token = beside.token(role)) list.push_back(*std::move(token));
  };
  const auto add_named = [&](std::string_view text) {
    for (const AddedToken& each : beside.tokens) {
      if (each.token.text == text) to.before.push_back(each.token);
    }
  };
  switch (beside.model->around) {
    case Around::nothing:
      break;
    case Around::if_asked:
      if (beside.config.add_bos.value_or(false)) add(Role::bos, to.before);
      if (beside.config.add_eos.value_or(false)) add(Role::eos, to.after);
      break;
    case Around::cls_sep:
      add(Role::cls, to.before);
      add(Role::sep, to.after);
      break;
    case Around::bos_eos:
      add(Role::bos, to.before);
      add(Role::eos, to.after);
      break;
    case Around::eos:
      add(Role::eos, to.after);
      break;
    case Around::whisper:
      add_named("<|startoftranscript|>");
      add_named("<|notimestamps|>");
      add(Role::eos, to.after);
      break;
  }
}

Result<Tokenizer> with_tokens(Tokenizer made, Beside& beside) {
  add_around(beside, made);
  auto added = AddedTokens::of(std::move(beside.tokens), made.normalizers);
  if (!added) return fail(added.error());
  made.added = *std::move(added);
  return made;
}

BertNormalizer normalizer_of(const TokenizerConfig& config, bool lowercase) {
  return {.clean_text = true,
          .chinese_characters = config.chinese_characters.value_or(true),
          .strip_accents = config.strip_accents.value_or(lowercase),
          .lowercase = lowercase};
}

/// What comes before the model, by the form of its class.
void add_form(const Beside& beside, Tokenizer& to) {
  constexpr std::string_view clip = R"('s|'t|'re|'ve|'m|'ll|'d|[\p{L}]+|[\p{N}]|[^\s\p{L}\p{N}]+)";
  constexpr std::string_view qwen2 =
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N})"
      R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
  const Form form = beside.model->form;
  if (form == Form::gpt1 || form == Form::herbert) {
    to.normalizers.emplace_back(normalizer_of({}, form == Form::gpt1));
    to.splits.push_back(at_spaces_and_punctuation());
    return;
  }
  to.is_of_bytes = true;
  if (form == Form::clip) {
    to.normalizers.push_back(composed_form());
    to.normalizers.push_back(replacing(*Regex::read(R"(\s+)"), " "));
    to.normalizers.push_back(in_small_letters());
    to.splits.push_back(at_known_regex(clip, Found::removed, true));
  } else if (form == Form::qwen2) {
    to.normalizers.push_back(composed_form());
    to.splits.push_back(at_known_regex(qwen2, Found::isolated, false));
  }
  to.splits.push_back(byte_level(beside.config.add_prefix_space.value_or(false),
                                 form == Form::gpt2 || form == Form::clip));
}

Result<std::vector<MergedPair>> merges_of(std::string_view text) {
  std::vector<MergedPair> merges;
  for (const std::string_view line : lines_of(text)) {
    if (line.empty() || (merges.empty() && line.starts_with("#version"))) continue;
    if (merges.size() == max_tokens) return too_many("merges.txt", max_tokens);
    auto pair = merged_pair(line);
    if (!pair) return fail(pair.error());
    merges.push_back(*std::move(pair));
  }
  return merges;
}

}  // namespace

Result<Tokenizer> read_word_list(std::string_view text, const TokenizerConfig& config) {
  if (const auto checked = check_tokenizer_file(text); !checked) return fail(checked.error());
  Vocabulary vocabulary;
  bool is_cased = false;
  std::uint32_t id = 0;
  for (const std::string_view line : lines_of(text)) {
    if (id == max_tokens) return too_many("vocab.txt", max_tokens);
    if (line.size() > longest_token) return too_long(line, longest_token);
    is_cased |= has_capitals(line);
    vocabulary.insert_or_assign(std::string(line), id++);
  }
  auto beside = Beside::of(config, vocabulary, true, false);
  if (!beside) return fail(beside.error());
  WordPiece model;
  model.unknown = beside->token(Role::unk);
  if (!model.unknown) {
    return not_as_it_should_be(beside->text_of_role(Role::unk));
  }
  model.tokens = index_of(vocabulary);
  Tokenizer made;
  made.normalizers.emplace_back(
      normalizer_of(config, config.lowercase.value_or(config.is_given || !is_cased)));
  made.splits.push_back(at_spaces_and_punctuation());
  made.model = std::move(model);
  return with_tokens(std::move(made), *beside);
}

Result<Vocabulary> read_vocab(std::string_view json) {
  if (const auto checked = check_tokenizer_file(json); !checked) return fail(checked.error());
  Vocabulary made;
  base::JsonReader reader(json);
  if (const auto read = read_vocabulary_object(reader, "vocab.json", made); !read)
    return fail(read.error());
  if (!reader.at_end() || made.empty()) return not_as_it_should_be("vocab.json");
  return made;
}

Result<Tokenizer> read_merges(Vocabulary vocabulary, std::string_view merges,
                              const TokenizerConfig& config) {
  if (const auto checked = check_tokenizer_file(merges); !checked) return fail(checked.error());
  BytePairs model;
  model.vocabulary = std::move(vocabulary);
  const auto pairs = merges_of(merges);
  if (!pairs) return fail(pairs.error());
  const bool has_word_ends = std::any_of(pairs->begin(), pairs->end(), [](const auto& pair) {
    return pair.second.ends_with(word_end);
  });
  auto beside = Beside::of(config, model.vocabulary, false, has_word_ends);
  if (!beside) return fail(beside.error());
  if (const auto added = add_merges(*pairs, model); !added) return fail(added.error());
  const Form form = beside->model->form;
  if (form == Form::clip || form == Form::gpt1 || form == Form::herbert) {
    model.end_suffix = word_end;
    model.unknown = beside->token(Role::unk);
  }
  Tokenizer made;
  add_form(*beside, made);
  made.model = std::move(model);
  return with_tokens(std::move(made), *beside);
}

}  // namespace files
