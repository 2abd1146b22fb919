#include "files/tokenizers/tokenizer_files.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text.hpp"
#include "files/quote.hpp"

namespace files {
namespace {

using base::Result;

constexpr std::array<std::string_view, 4> endings = {"tokenizer.json", "vocab.txt", "vocab.json",
                                                     "merges.txt"};

}  // namespace

bool is_tokenizer_file(std::string_view name) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

Result<void> TokenizerFiles::add(const std::string& name, std::string_view content) {
  const auto added = [&]() -> Result<void> {
    if (name.ends_with(endings[0])) return take(read_tokenizer_json(content), 3);
    if (name.ends_with(endings[1])) return take(read_word_list(content), 1);
    (name.ends_with(endings[2]) ? vocab_ : merges_) = content;
    if (vocab_.empty() || merges_.empty()) return {};
    return take(read_vocab_and_merges(std::exchange(vocab_, {}), std::exchange(merges_, {})), 2);
  }();
  if (added) return {};
  return base::fail(in_quotes(name) + ": " + added.error().message);
}

const Tokenizer* TokenizerFiles::tokenizer() const { return rank_ > 0 ? &tokenizer_ : nullptr; }

Result<void> TokenizerFiles::check() const {
  if (rank_ > 0 || (vocab_.empty() && merges_.empty())) return {};
  return base::fail(base::text("files.tokenizer.pair",
                               {{"missing", vocab_.empty() ? "vocab.json" : "merges.txt"}}));
}

Result<void> TokenizerFiles::take(Result<Tokenizer> tokenizer, int rank) {
  if (!tokenizer) return base::fail(tokenizer.error());
  if (rank < rank_) return {};
  tokenizer_ = *std::move(tokenizer);
  rank_ = rank;
  return {};
}

}  // namespace files
