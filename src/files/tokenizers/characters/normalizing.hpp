// What a tokenizer changes in a text before it is split: accents, case, forms of characters.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/json/json.hpp"
#include "files/tokenizers/regex/regex.hpp"

namespace files {

/// Of valid UTF-8 into valid UTF-8. Errors: as Regex::matches.
using Normalize = std::function<base::Result<std::string>(const std::string&)>;

/// No normaliser makes more bytes of a text that a model was trained on.
inline constexpr std::size_t most_normalized = std::size_t{1} << 14U;

/// One after another. Errors: theirs; more than most_normalized.
base::Result<std::string> normalized(const std::vector<Normalize>& normalizers, std::string text);

Normalize in_small_letters();
/// What is canonically equivalent becomes the same.
Normalize composed_form();
/// What the expression matches becomes `content`.
Normalize replacing(Regex regex, std::string content);

/// BERT's: without control characters, Chinese ones as words of their own, and with accents and
/// case taken away where that is asked for.
struct BertNormalizer {
  bool clean_text = true;
  bool chinese_characters = true;
  bool strip_accents = true;
  bool lowercase = true;

  std::string operator()(const std::string& text) const;
};

/// Adds what the member "normalizer" of a tokenizer.json describes. Errors: one that is not known
/// here, by name; what it needs is not there.
base::Result<void> add_normalizers(const base::Json& described, std::vector<Normalize>& to);

}  // namespace files
