// A tokenizer.json while it is read: its vocabulary without building values of it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/json/json.hpp"
#include "files/tokenizers/added_tokens.hpp"
#include "files/tokenizers/models/vocabulary.hpp"
#include "files/tokenizers/vocabularies/vocabulary_reader.hpp"

namespace files {

/// The members of the file, and those of its model, but for the long ones.
struct Contents {
  base::Json whole = base::Json::object();
  base::Json model = base::Json::object();
  std::vector<AddedToken> added;
  Vocabulary vocabulary;
  std::vector<std::pair<std::string, double>> scored;  ///< of Unigram: tokens with their scores
  std::vector<MergedPair> merges;
  bool has_model = false;
};

/// Errors: no JSON, or what in it is not as it should be or above a limit, by name.
base::Result<Contents> read_contents(std::string_view json);

/// A member of an object; null where there is none.
const base::Json& member_of(const base::Json& whole, std::string_view name);
/// A whole number that can be an id.
std::optional<std::uint32_t> id_in(const base::Json& value);

}  // namespace files
