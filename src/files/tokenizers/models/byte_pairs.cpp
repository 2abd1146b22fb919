#include "files/tokenizers/models/byte_pairs.hpp"

#include <utf8/unchecked.h>

namespace files {
namespace {

/// The tokens of a word's characters.
std::vector<Token> characters_of(const BytePairs& model, std::string_view word) {
  std::vector<Token> symbols;
  bool after_unknown = false;
  for (auto place = word.begin(); place != word.end();) {
    const auto begin = place;
    utf8::unchecked::next(place);
    const std::string character(begin, place);
    std::string text = begin == word.begin() ? character : model.inner_prefix + character;
    if (place == word.end()) text += model.end_suffix;
    if (const auto id = id_of(model.vocabulary, text)) {
      symbols.push_back({*id, std::move(text)});
      after_unknown = false;
      continue;
    }
    std::vector<Token> bytes;
    for (const char byte : model.byte_fallback ? character : std::string()) {
      std::string token = byte_token(static_cast<unsigned char>(byte));
      if (const auto id = id_of(model.vocabulary, token)) bytes.push_back({*id, std::move(token)});
    }
    if (!bytes.empty() && bytes.size() == character.size()) {
      symbols.insert(symbols.end(), bytes.begin(), bytes.end());
      after_unknown = false;
    } else if (model.unknown) {
      if (!model.fuse_unknown || !after_unknown) symbols.push_back(*model.unknown);
      after_unknown = true;
    }
  }
  return symbols;
}

}  // namespace

void BytePairs::encode(std::string_view word, std::vector<Token>& to) const {
  if (const auto id = ignore_merges ? id_of(vocabulary, word) : std::nullopt) {
    to.push_back({*id, std::string(word)});
    return;
  }
  std::vector<Token> symbols = characters_of(*this, word);
  while (symbols.size() > 1) {
    std::size_t place = symbols.size();
    Merge best;
    for (std::size_t i = 0; i + 1 < symbols.size(); ++i) {
      const auto merge = merges.find(pair(symbols[i].id, symbols[i + 1].id));
      if (merge == merges.end()) continue;
      if (place < symbols.size() && merge->second.rank >= best.rank) continue;
      best = merge->second;
      place = i;
    }
    if (place == symbols.size()) break;
    symbols[place].id = best.id;
    symbols[place].text += symbols[place + 1].text.substr(inner_prefix.size());
    symbols.erase(symbols.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  }
  to.insert(to.end(), symbols.begin(), symbols.end());
}

}  // namespace files
