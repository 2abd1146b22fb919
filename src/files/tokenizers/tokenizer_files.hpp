// The files of a tokenizer that lie beside a model's, in any order.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "files/tokenizers/tokenizer.hpp"

namespace files {

/// What their names end in: those with a vocabulary first, of which an earlier one counts before a
/// later one; then those that say more of vocab.txt, or of vocab.json with merges.txt.
inline constexpr std::array<std::string_view, 7> tokenizer_file_names = {"tokenizer.json",
                                                                         "vocab.txt",
                                                                         "vocab.json",
                                                                         "merges.txt",
                                                                         "tokenizer_config.json",
                                                                         "special_tokens_map.json",
                                                                         "added_tokens.json"};

/// Whether a file's name says that it is one of them, with anything before that.
bool is_tokenizer_file(std::string_view name);
/// Whether it is one of the first four.
bool is_vocabulary_file(std::string_view name);

class TokenizerFiles {
 public:
  /// Takes a file whose name is one of them, in the place of one of that kind that was taken
  /// before.
  void add(const std::string& name, std::string_view content);

  /// Reads what has been taken. Errors, with the file's name: those of its reader; one of
  /// vocab.json and merges.txt alone; no vocabulary.
  base::Result<void> read();

  /// Whether a file with a vocabulary has been taken.
  bool has_vocabulary() const;
  /// Null before one has been read.
  const Tokenizer* tokenizer() const { return tokenizer_ ? &*tokenizer_ : nullptr; }

 private:
  struct File {
    std::string name;  ///< empty: not there
    std::string content;
  };

  /// Why nothing can be read.
  std::string missing() const;

  std::array<File, tokenizer_file_names.size()> files_;
  std::optional<Tokenizer> tokenizer_;
};

}  // namespace files
