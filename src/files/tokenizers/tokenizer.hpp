// Text → the token ids that a model was trained on: what tokenizer.json of Hugging Face's library
// describes, or the older files in vocabularies/. docs/files.md lists what is known.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "files/tokenizers/added_tokens.hpp"
#include "files/tokenizers/characters/normalizing.hpp"
#include "files/tokenizers/characters/splitting.hpp"
#include "files/tokenizers/models/byte_pairs.hpp"
#include "files/tokenizers/models/unigram.hpp"
#include "files/tokenizers/models/word_level.hpp"
#include "files/tokenizers/models/word_piece.hpp"

namespace files {

/// The longest file that is read, and the longest text that is encoded, in bytes.
inline constexpr std::size_t max_tokenizer_bytes = std::size_t{1} << 26U;
inline constexpr std::size_t max_tokenized_bytes = std::size_t{1} << 12U;

struct Encoding {
  std::vector<std::uint32_t> ids;
  /// What each stands for: a space at its beginning as "▁", bytes that are no character as
  /// "<0xE2>".
  std::vector<std::string> words;
};

/// Its parts in the order in which a text passes through them.
struct Tokenizer {
  AddedTokens added;
  std::vector<Normalize> normalizers;
  std::vector<Split> splits;
  std::variant<BytePairs, WordPiece, Unigram, WordLevel> model;
  bool is_of_bytes = false;   ///< each character of a token stands for a byte, as in GPT-2
  std::vector<Token> before;  ///< what every text begins with: [CLS]
  std::vector<Token> after;

  /// Errors: a text that is too long, or no UTF-8; one that gives no tokens; a word of which the
  /// model has no token, nor one for what is unknown; those of the normalizers and splits.
  base::Result<Encoding> encode(std::string_view text) const;
};

/// Reads a whole file. Errors: what is wrong with it, or what in it is not known here, by name.
base::Result<Tokenizer> read_tokenizer_json(std::string_view json);

}  // namespace files
