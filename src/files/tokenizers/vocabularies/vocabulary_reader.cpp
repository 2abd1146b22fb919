#include "files/tokenizers/vocabularies/vocabulary_reader.hpp"

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

base::Result<void> read_vocabulary_object(base::JsonReader& reader, std::string_view name,
                                          Vocabulary& to) {
  if (!reader.take('{')) return not_as_it_should_be(name);
  if (reader.take('}')) return {};
  do {
    std::string token;
    if (to.size() == max_tokens) return too_many(name, max_tokens);
    if (!reader.read_text(token) || !reader.take(':')) return not_as_it_should_be(name);
    if (token.size() > longest_token) return too_long(token, longest_token);
    const auto id = base::read_whole<std::uint32_t>(reader.read_number());
    if (!id) return not_as_it_should_be(name);
    to.insert_or_assign(std::move(token), *id);
  } while (reader.take(','));
  if (!reader.take('}')) return not_as_it_should_be(name);
  return {};
}

base::Result<MergedPair> merged_pair(std::string_view line) {
  const std::size_t space = line.find(' ');
  if (space == std::string_view::npos || line.find(' ', space + 1) != std::string_view::npos)
    return not_as_it_should_be("merges");
  return MergedPair(line.substr(0, space), line.substr(space + 1));
}

base::Result<void> add_merges(const std::vector<MergedPair>& merges, BytePairs& to) {
  for (const auto& [first, second] : merges) {
    const auto first_id = id_of(to.vocabulary, first);
    const auto second_id = id_of(to.vocabulary, second);
    if (second.size() < to.inner_prefix.size()) return not_as_it_should_be("merges");
    const auto id = id_of(to.vocabulary, first + second.substr(to.inner_prefix.size()));
    if (!first_id || !second_id || !id) {
      return fail(
          base::text("files.tokenizer.merge", {{"merge", in_quotes(first + ' ' + second)}}));
    }
    const auto rank = static_cast<std::uint32_t>(to.merges.size());
    to.merges.try_emplace(BytePairs::pair(*first_id, *second_id), BytePairs::Merge{rank, *id});
  }
  return {};
}

}  // namespace files
