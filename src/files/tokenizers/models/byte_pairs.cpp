#include "files/tokenizers/models/byte_pairs.hpp"

#include <functional>
#include <limits>
#include <queue>
#include <utility>

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

bool BytePairs::encode(std::string_view word, std::vector<Token>& to) const {
  if (const auto id = ignore_merges ? id_of(vocabulary, word) : std::nullopt) {
    to.push_back({*id, std::string(word)});
    return true;
  }
  std::vector<Token> symbols = characters_of(*this, word);
  // The symbols are a list: what stands behind and before each. What was joined to another has
  // nothing behind it.
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  const std::size_t count = symbols.size();
  std::vector<std::size_t> after(count);
  std::vector<std::size_t> before(count);
  for (std::size_t i = 0; i < count; ++i) {
    after[i] = i + 1;
    before[i] = i == 0 ? none : i - 1;
  }
  // Pairs that can be joined, by rank and then from left to right.
  using Offer = std::pair<std::uint32_t, std::size_t>;
  std::priority_queue<Offer, std::vector<Offer>, std::greater<>> offers;
  const auto merge_at = [&](std::size_t place) {
    const bool has_second = after[place] < count;
    return has_second ? merges.find(pair(symbols[place].id, symbols[after[place]].id))
                      : merges.end();
  };
  const auto offer = [&](std::size_t place) {
    if (const auto merge = merge_at(place); merge != merges.end())
      offers.emplace(merge->second.rank, place);
  };
  for (std::size_t i = 0; i < count; ++i) offer(i);
  while (!offers.empty()) {
    const auto [rank, place] = offers.top();
    offers.pop();
    // The pair may have been joined with others since it was offered.
    const auto merge = merge_at(place);
    if (merge == merges.end() || merge->second.rank != rank) continue;
    const std::size_t second = after[place];
    symbols[place].id = merge->second.id;
    symbols[place].text += std::string_view(symbols[second].text).substr(inner_prefix.size());
    after[place] = after[second];
    after[second] = none;
    if (after[place] < count) before[after[place]] = place;
    offer(place);
    if (before[place] != none) offer(before[place]);
  }
  for (std::size_t i = 0; i < count; i = after[i]) to.push_back(std::move(symbols[i]));
  return true;
}

}  // namespace files
