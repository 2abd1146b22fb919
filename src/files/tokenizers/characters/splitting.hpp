// How a tokenizer splits a text into words, of which no token is longer.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/json/json.hpp"
#include "files/tokenizers/regex/regex.hpp"

namespace files {

struct Piece {
  std::string text;
  bool at_start = false;  ///< the text begins with it
};
/// Errors: as Regex::matches.
using Split = std::function<base::Result<std::vector<Piece>>(std::vector<Piece>)>;

/// What becomes of what is looked for in a text.
enum class Found : unsigned char { removed, isolated, with_previous, with_next, contiguous };

/// Around what the expression matches; `invert`: around what is between that.
Split at_regex(Regex regex, Found found, bool invert);
/// The same of a regular expression that is known to be one.
Split at_known_regex(std::string_view pattern, Found found, bool invert);

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
