#include "files/tokenizers/models/word_piece.hpp"

#include <utf8/unchecked.h>

namespace files {

bool WordPiece::encode(std::string_view word, std::vector<Token>& to) const {
  const auto characters =
      static_cast<std::size_t>(utf8::unchecked::distance(word.begin(), word.end()));
  TokenIndex::Place inner = tokens.start();
  const bool has_inner = tokens.follow(inner, inner_prefix);
  std::vector<Token> pieces;
  std::size_t begin = 0;
  while (begin < word.size() && characters <= longest_word && (begin == 0 || has_inner)) {
    const auto found = tokens.longest(word.substr(begin), begin == 0 ? tokens.start() : inner);
    if (!found) break;
    std::string text = begin == 0 ? std::string() : inner_prefix;
    text += word.substr(begin, found->size);
    pieces.push_back({found->number, std::move(text)});
    begin += found->size;
  }
  if (begin == word.size())
    to.insert(to.end(), pieces.begin(), pieces.end());
  else if (unknown)
    to.push_back(*unknown);
  return begin == word.size() || unknown.has_value();
}

}  // namespace files
