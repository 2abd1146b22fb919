// A token for each whole word.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "files/tokenizers/models/vocabulary.hpp"

namespace files {

struct WordLevel {
  Vocabulary vocabulary;
  std::optional<Token> unknown;

  /// Adds the token of a word, or the unknown one; false where there is no such token.
  bool encode(std::string_view word, std::vector<Token>& to) const;
};

}  // namespace files
