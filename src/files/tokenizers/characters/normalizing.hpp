// What a tokenizer changes in a text before it is split: accents, case, forms of characters.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/json/json.hpp"

namespace files {

/// Of valid UTF-8 into valid UTF-8.
using Normalize = std::function<std::string(const std::string&)>;

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
