// Splitting what a learner types into tokens, in any language.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"

namespace lesson {

inline constexpr std::size_t max_tokens = 64;
inline constexpr std::size_t max_token_length = 64;  ///< code points

/// Splits UTF-8 text at Unicode white space. Where a script puts no spaces between words (Han,
/// kana, Thai, Lao, Khmer, Burmese), every character becomes a token, together with the marks that
/// belong to it. Errors: not UTF-8, a control character, no token at all, more than `max_tokens`, a
/// token that is too long.
base::Result<std::vector<std::string>> tokenize(std::string_view text);

}  // namespace lesson
