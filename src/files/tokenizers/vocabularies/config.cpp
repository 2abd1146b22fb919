#include "files/tokenizers/vocabularies/config.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/decimal.hpp"
#include "base/json/json.hpp"
#include "files/tokenizers/characters/unicode.hpp"
#include "files/tokenizers/described.hpp"
#include "files/tokenizers/json/contents.hpp"

namespace files {
namespace {

using base::fail;
using base::Json;
using base::Result;

/// Each is built as a value.
constexpr std::size_t longest_config = std::size_t{1} << 24U;

constexpr std::array<std::string_view, role_count> role_names = {
    "bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"};

/// An object; null where there is no file.
Result<Json> object_in(std::string_view file, std::string_view name) {
  if (file.empty()) return Json();
  if (file.size() > longest_config) return too_long(name, longest_config);
  if (!unicode::is_utf8(file)) return not_as_it_should_be(name);
  Json read = Json::parse(file);
  if (!read.is_object()) return not_as_it_should_be(name);
  return read;
}

std::optional<bool> said(const Json& config, std::string_view name) {
  const Json& value = member_of(config, name);
  return value.boolean() == nullptr ? std::nullopt : std::optional(*value.boolean());
}

/// "[CLS]", or {"content": "[CLS]", …}; nothing where it is null.
std::optional<AddedToken> special_token(const Json& said_of_it) {
  AddedToken made;
  if (said_of_it.text() != nullptr)
    made.token.text = *said_of_it.text();
  else
    made = added_token_of(said_of_it);
  made.special = true;
  if (made.token.text.empty()) return std::nullopt;
  return made;
}

class ConfigReader {
 public:
  TokenizerConfig made;

  /// {"50256": {"content": "<|endoftext|>", …}} of tokenizer_config.json.
  bool add_decoder(const Json& decoder) {
    for (std::size_t i = 0; i < decoder.size(); ++i) {
      const auto id = base::read_whole<std::uint32_t>(decoder.names()[i]);
      AddedToken token = added_token_of(decoder.elements()[i]);
      if (!id || token.token.text.empty()) return false;
      token.token.id = *id;
      made.added.push_back({std::move(token), true});
    }
    return true;
  }

  /// {"<|endoftext|>": 50256} of added_tokens.json.
  bool add_list(const Json& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const auto id = id_in(list.elements()[i]);
      if (!id || list.names()[i].empty()) return false;
      AddedToken token;
      token.token = {*id, list.names()[i]};
      token.normalized = true;
      made.added.push_back({std::move(token), true});
    }
    return true;
  }

  /// The tokens for the parts of a text, and the others that are special.
  void add_specials(const Json& config) {
    for (std::size_t i = 0; i < role_count; ++i) {
      auto token = special_token(member_of(config, role_names[i]));
      if (!token) continue;
      made.roles[i] = token->token.text;
      add_special(*std::move(token), member_of(config, role_names[i]).is_object());
    }
    for (const char* list : {"additional_special_tokens", "extra_special_tokens"}) {
      for (const Json& each : member_of(config, list).elements()) {
        if (auto token = special_token(each)) add_special(*std::move(token), each.is_object());
      }
    }
  }

 private:
  /// `is_described`: with its spaces, which count before those that were said of it.
  void add_special(AddedToken token, bool is_described) {
    const auto same =
        std::find_if(made.added.begin(), made.added.end(), [&](const TokenizerConfig::Added& each) {
          return each.token.token.text == token.token.text;
        });
    if (same == made.added.end()) {
      made.added.push_back({std::move(token), false});
      return;
    }
    AddedToken& old = same->token;
    if (!is_described && old.special) return;
    token.token.id = old.token.id;
    old = std::move(token);
  }
};

}  // namespace

Result<TokenizerConfig> read_tokenizer_config(const ConfigFiles& files) {
  const auto config = object_in(files.config, "tokenizer_config.json");
  if (!config) return fail(config.error());
  const auto specials = object_in(files.specials, "special_tokens_map.json");
  if (!specials) return fail(specials.error());
  const auto added = object_in(files.added, "added_tokens.json");
  if (!added) return fail(added.error());
  ConfigReader reader;
  TokenizerConfig& made = reader.made;
  made.is_given = !config->is_null();
  made.model_class = text_of(*config, "tokenizer_class");
  made.lowercase = said(*config, "do_lower_case");
  made.strip_accents = said(*config, "strip_accents");
  made.chinese_characters = said(*config, "tokenize_chinese_chars");
  made.add_prefix_space = said(*config, "add_prefix_space");
  made.add_bos = said(*config, "add_bos_token");
  made.add_eos = said(*config, "add_eos_token");
  // The newer list holds what the two older files say.
  const Json& decoder = member_of(*config, "added_tokens_decoder");
  if (!decoder.empty()) {
    if (!reader.add_decoder(decoder)) return not_as_it_should_be("added_tokens_decoder");
    reader.add_specials(*config);
    return made;
  }
  if (!reader.add_list(*added)) return not_as_it_should_be("added_tokens.json");
  reader.add_specials(*config);
  reader.add_specials(*specials);
  return made;
}

}  // namespace files
