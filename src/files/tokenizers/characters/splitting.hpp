// How a tokenizer splits a text into words, of which no token is longer.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/json/json.hpp"

namespace files {

struct Piece {
  std::string text;
  bool at_start = false;  ///< the text begins with it
};
using Split = std::function<std::vector<Piece>(const std::vector<Piece>&)>;

/// GPT-2's: the regular expression of Radford et al., 2019, then a character for each byte.
Split byte_level(bool add_prefix_space, bool use_regex);
/// BERT's: at spaces, which are left out, and around each punctuation mark.
Split at_spaces_and_punctuation();

/// The byte that a character of GPT-2's tokens stands for; −1: none.
int byte_of(char32_t character);

/// Adds what the member "pre_tokenizer" of a tokenizer.json describes; `is_of_bytes`: each
/// character of what comes out stands for a byte. Errors: one that is not known here, by name; what
/// it needs is not there.
base::Result<void> add_splits(const base::Json& described, std::vector<Split>& to,
                              bool& is_of_bytes);

}  // namespace files
