// vocab.txt, and vocab.json with merges.txt, which are older than tokenizer.json.
#pragma once

#include <string_view>

#include "base/error.hpp"
#include "files/tokenizers/tokenizer.hpp"
#include "files/tokenizers/vocabularies/config.hpp"

namespace files {

/// A token a line. Without a tokenizer_config.json a vocabulary without capitals is of a model that
/// makes all letters small. Errors: what is wrong with the file; a class that is not known here.
base::Result<Tokenizer> read_word_list(std::string_view text, const TokenizerConfig& config = {});

/// {TOKEN: ID, …}. Errors: what is wrong with the file.
base::Result<Vocabulary> read_vocab(std::string_view json);
/// Two tokens a line that are joined. Errors: as read_word_list.
base::Result<Tokenizer> read_merges(Vocabulary vocabulary, std::string_view merges,
                                    const TokenizerConfig& config = {});

}  // namespace files
