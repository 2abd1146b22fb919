// What the files of several tokenizers have in common.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/json/json_reader.hpp"
#include "files/tokenizers/models/byte_pairs.hpp"
#include "files/tokenizers/models/vocabulary.hpp"

namespace files {

/// Of a token, in bytes.
inline constexpr std::size_t longest_token = 512;

/// Errors: it is longer than what is read; no UTF-8.
base::Result<void> check_tokenizer_file(std::string_view text);

/// An object {TOKEN: ID, …}; false where something else comes next, or too many of them.
bool read_vocabulary_object(base::JsonReader& reader, Vocabulary& to);

/// Adds merges, two tokens with a space between them, the first of the first rank. Errors: one of
/// tokens that are not in the vocabulary, or that is not in it itself.
base::Result<void> add_merges(const std::vector<std::string>& merges, BytePairs& to);

}  // namespace files
