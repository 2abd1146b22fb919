#include "files/tokenizers/vocabulary_reader.hpp"

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "files/quote.hpp"
#include "files/tokenizers/characters/unicode.hpp"
#include "files/tokenizers/described.hpp"
#include "files/tokenizers/tokenizer.hpp"

namespace files {

using base::fail;

base::Result<void> check_tokenizer_file(std::string_view text) {
  if (text.size() > max_tokenizer_bytes)
    return fail(base::text("files.tokenizer.long_file", {{"most", max_tokenizer_bytes >> 20U}}));
  if (!unicode::is_utf8(text)) return fail(base::text("files.tokenizer.not_utf8"));
  return {};
}

bool read_vocabulary_object(base::JsonReader& reader, Vocabulary& to) {
  if (!reader.take('{')) return false;
  if (reader.take('}')) return true;
  do {
    std::string token;
    if (to.size() == max_tokens || !reader.read_text(token) || token.size() > longest_token ||
        !reader.take(':'))
      return false;
    const auto id = base::read_whole<std::uint32_t>(reader.read_number());
    if (!id) return false;
    to.insert_or_assign(std::move(token), *id);
  } while (reader.take(','));
  return reader.take('}');
}

base::Result<void> add_merges(const std::vector<std::string>& merges, BytePairs& to) {
  for (const std::string& merge : merges) {
    const std::size_t space = merge.find(' ');
    if (space == std::string::npos) return not_as_it_should_be("merges");
    const std::string_view first = std::string_view(merge).substr(0, space);
    const std::string_view second = std::string_view(merge).substr(space + 1);
    const auto first_id = id_of(to.vocabulary, first);
    const auto second_id = id_of(to.vocabulary, second);
    if (second.size() < to.inner_prefix.size()) return not_as_it_should_be("merges");
    std::string both(first);
    both += second.substr(to.inner_prefix.size());
    const auto id = id_of(to.vocabulary, both);
    if (!first_id || !second_id || !id)
      return fail(base::text("files.tokenizer.merge", {{"merge", in_quotes(merge)}}));
    const auto rank = static_cast<std::uint32_t>(to.merges.size());
    to.merges.try_emplace(BytePairs::pair(*first_id, *second_id), BytePairs::Merge{rank, *id});
  }
  return {};
}

}  // namespace files
