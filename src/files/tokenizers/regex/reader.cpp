#include "files/tokenizers/regex/reader.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "files/quote.hpp"
#include "files/tokenizers/characters/unicode.hpp"

namespace files::regex {

bool Reader::unknown(std::size_t begin, std::size_t end) {
  const std::size_t count = std::min(end, text.size()) - begin;
  problem = base::text("files.tokenizer.regex.unknown",
                       {{"regex", in_quotes(unicode::bytes(text), shown_of_regex)},
                        {"part", in_quotes(unicode::bytes(text.substr(begin, count)))}});
  return false;
}

bool Reader::incomplete(std::string_view missing) {
  problem = base::text(
      "files.tokenizer.regex.incomplete",
      {{"regex", in_quotes(unicode::bytes(text), shown_of_regex)}, {"part", in_quotes(missing)}});
  return false;
}

bool Reader::above(std::string_view what, std::size_t most) {
  problem =
      base::text("files.tokenizer.regex." + std::string(what),
                 {{"regex", in_quotes(unicode::bytes(text), shown_of_regex)}, {"most", most}});
  return false;
}

}  // namespace files::regex
