// Tokens that are found in a text before anything else is done with it: "[MASK]", "<|endoftext|>".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/json/json.hpp"
#include "files/tokenizers/characters/normalizing.hpp"
#include "files/tokenizers/models/token_index.hpp"
#include "files/tokenizers/models/vocabulary.hpp"

namespace files {

struct AddedToken {
  Token token;
  bool strip_left = false;  ///< the spaces before it belong to it
  bool strip_right = false;
  bool single_word = false;  ///< only where no word goes on before and behind it
  /// Looked for in the normalised text, as its own text is when it is normalised.
  bool normalized = false;
  bool special = false;  ///< counts before others of the same text
};

/// A part of a text: a token, or what is between two of them.
struct Section {
  std::string text;
  const AddedToken* added = nullptr;
};

/// What tokenizer.json and tokenizer_config.json say of one beside its id; `described` is an
/// object.
AddedToken added_token_of(const base::Json& described);

class AddedTokens {
 public:
  AddedTokens() = default;
  /// Errors: those of the normalizers, through which each token goes that is `normalized`.
  static base::Result<AddedTokens> of(std::vector<AddedToken> tokens,
                                      const std::vector<Normalize>& normalizers);

  /// The longest token at each place counts. The sections stay valid as long as this does.
  std::vector<Section> split(const std::string& text, bool normalized) const;

 private:
  std::vector<AddedToken> tokens_;
  TokenIndex plain_;
  TokenIndex normalized_;
};

}  // namespace files
