// Tokens that are found in a text before anything else is done with it: "[MASK]", "<|endoftext|>".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "files/tokenizers/models/vocabulary.hpp"

namespace files {

struct AddedToken {
  Token token;
  bool strip_left = false;  ///< the spaces before it belong to it
  bool strip_right = false;
  bool single_word = false;  ///< only where no word goes on before and behind it
  bool normalized = false;   ///< looked for in the normalised text, not in the text as it is
};

/// A part of a text: a token, or what is between two of them.
struct Section {
  std::string text;
  const AddedToken* added = nullptr;
};

class AddedTokens {
 public:
  AddedTokens() = default;
  explicit AddedTokens(std::vector<AddedToken> tokens);

  /// The longest token at each place counts.
  std::vector<Section> split(const std::string& text, bool normalized) const;

 private:
  std::vector<AddedToken> tokens_;  ///< the longest first
};

}  // namespace files
