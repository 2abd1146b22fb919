// The files of a tokenizer that lie beside a model's, one after another.
#pragma once

#include <string>
#include <string_view>

#include "base/error.hpp"
#include "files/tokenizers/tokenizer.hpp"

namespace files {

/// Whether a file's name says that it is one of them: tokenizer.json, vocab.txt, vocab.json or
/// merges.txt, with anything before that.
bool is_tokenizer_file(std::string_view name);

class TokenizerFiles {
 public:
  /// Takes a file whose name is one of them. Errors, with its name: as the readers of it.
  base::Result<void> add(const std::string& name, std::string_view content);

  /// tokenizer.json counts before the others. Null where there was none.
  const Tokenizer* tokenizer() const;
  /// Errors: one of vocab.json and merges.txt alone.
  base::Result<void> check() const;

 private:
  base::Result<void> take(base::Result<Tokenizer> tokenizer, int rank);

  Tokenizer tokenizer_;
  int rank_ = 0;  ///< of what `tokenizer_` was read from; 0: nothing yet
  std::string vocab_;
  std::string merges_;
};

}  // namespace files
