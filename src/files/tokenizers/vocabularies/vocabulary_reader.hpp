// What the files of several tokenizers have in common.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/json/json_reader.hpp"
#include "files/tokenizers/models/byte_pairs.hpp"
#include "files/tokenizers/models/vocabulary.hpp"

namespace files {

/// Of a token, in bytes: no text that is encoded is longer.
inline constexpr std::size_t longest_token = std::size_t{1} << 14U;

/// Errors: it is longer than what is read; no UTF-8.
base::Result<void> check_tokenizer_file(std::string_view text);

/// Adds an object {TOKEN: ID, …}. Errors, with `name`: something else comes next; too many tokens,
/// or one that is too long.
base::Result<void> read_vocabulary_object(base::JsonReader& reader, std::string_view name,
                                          Vocabulary& to);

/// Two tokens that are joined.
using MergedPair = std::pair<std::string, std::string>;
/// "a b" at its only space. Errors: there is none, or more than one.
base::Result<MergedPair> merged_pair(std::string_view line);

/// Adds merges, the first of the first rank. Errors: one of tokens that are not in the vocabulary,
/// or that is not in it itself.
base::Result<void> add_merges(const std::vector<MergedPair>& merges, BytePairs& to);

}  // namespace files
