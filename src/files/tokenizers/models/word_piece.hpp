// WordPiece, as BERT has it: Devlin et al., 2019 (arXiv:1810.04805).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "files/tokenizers/models/token_index.hpp"
#include "files/tokenizers/models/vocabulary.hpp"

namespace files {

struct WordPiece {
  TokenIndex tokens;
  std::optional<Token> unknown;
  std::string inner_prefix = "##";  ///< of a piece that does not begin a word
  std::size_t longest_word = 100;   ///< in characters; a longer one is unknown

  /// Adds the tokens of a word: the longest that it begins with, and again of the rest. Where none
  /// fits, the whole word is unknown; false where there is no token for that.
  bool encode(std::string_view word, std::vector<Token>& to) const;
};

}  // namespace files
