#include "files/tokenizers/models/word_piece.hpp"

#include <utf8/unchecked.h>

namespace files {

void WordPiece::encode(std::string_view word, std::vector<Token>& to) const {
  // Where each character begins, and where the last ends.
  std::vector<std::size_t> places;
  for (auto place = word.begin(); place != word.end(); utf8::unchecked::next(place))
    places.push_back(static_cast<std::size_t>(place - word.begin()));
  places.push_back(word.size());
  std::vector<Token> pieces;
  std::size_t begin = 0;
  while (begin + 1 < places.size() && places.size() - 1 <= longest_word) {
    std::size_t end = places.size() - 1;
    for (; end > begin; --end) {
      std::string text = begin == 0 ? std::string() : inner_prefix;
      text += word.substr(places[begin], places[end] - places[begin]);
      if (const auto id = id_of(vocabulary, text)) {
        pieces.push_back({*id, std::move(text)});
        break;
      }
    }
    if (end == begin) break;
    begin = end;
  }
  if (begin + 1 == places.size())
    to.insert(to.end(), pieces.begin(), pieces.end());
  else
    to.push_back(unknown);
}

}  // namespace files
