// What tokenizer_config.json, special_tokens_map.json and added_tokens.json of Hugging Face's
// Transformers say of a tokenizer whose vocabulary lies beside them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "files/tokenizers/added_tokens.hpp"

namespace files {

/// What a special token is for.
enum class Role : unsigned char { bos, eos, unk, sep, pad, cls, mask };
inline constexpr std::size_t role_count = 7;

/// The contents of the three files; empty where one is not there.
struct ConfigFiles {
  std::string_view config;
  std::string_view specials;
  std::string_view added;
};

struct TokenizerConfig {
  bool is_given = false;  ///< there is a tokenizer_config.json
  std::string model_class;
  std::optional<bool> lowercase;
  std::optional<bool> strip_accents;
  std::optional<bool> chinese_characters;
  std::optional<bool> add_prefix_space;
  std::optional<bool> add_bos;
  std::optional<bool> add_eos;

  /// One that is found in a text; no id: the vocabulary has it, or it stands behind all others.
  struct Added {
    AddedToken token;
    bool has_id = false;
  };
  std::vector<Added> added;
  std::optional<std::string> roles[role_count];

  const std::optional<std::string>& role(Role wanted) const {
    return roles[static_cast<std::size_t>(wanted)];
  }
};

/// Errors, with the name of the file: no JSON of this kind; a limit.
base::Result<TokenizerConfig> read_tokenizer_config(const ConfigFiles& files);

}  // namespace files
