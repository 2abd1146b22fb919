#include "translation/vocabulary.hpp"

#include <algorithm>
#include <limits>

namespace translation {
namespace {

/// How many bytes the character has that begins with this byte.
std::size_t length_of(unsigned char first) {
  if (first < 0x80) return 1;
  if (first >= 0xF0) return 4;
  if (first >= 0xE0) return 3;
  return first >= 0xC0 ? 2 : 1;
}

/// Letters, digits and whatever is not ASCII, but for the two marks that begin Spanish sentences.
bool is_of_word(const std::string& character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (first >= 0x80) return character != "¿" && character != "¡";
  return (first >= '0' && first <= '9') || (first >= 'a' && first <= 'z') ||
         (first >= 'A' && first <= 'Z');
}

}  // namespace

std::vector<std::string> characters_of(std::string_view text) {
  std::vector<std::string> characters;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t length =
        std::min(length_of(static_cast<unsigned char>(text[i])), text.size() - i);
    characters.emplace_back(text.substr(i, length));
    i += length;
  }
  return characters;
}

std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> words;
  bool space = true;
  bool in_word = false;
  for (const std::string& character : characters_of(text)) {
    if (character == " " || character == "\t" || character == "\n" || character == " ") {
      space = true;
      in_word = false;
      continue;
    }
    const bool of_word = is_of_word(character);
    if (of_word && in_word) {
      words.back() += character;
    } else {
      words.push_back((space ? std::string(word_mark) : "") + character);
    }
    in_word = of_word;
    space = false;
  }
  return words;
}

Vocabulary::Vocabulary(const std::vector<std::string>& pieces)
    : pieces_{"<pad>", "<s>", "</s>", "<unk>"} {
  pieces_.insert(pieces_.end(), pieces.begin(), pieces.end());
  for (std::size_t i = unknown + 1; i < pieces_.size(); ++i) places_[pieces_[i]] = i;
}

void Vocabulary::add_tokens_of_word(const std::string& word,
                                    std::vector<std::size_t>& tokens) const {
  if (const auto whole = places_.find(word); whole != places_.end()) {
    tokens.push_back(whole->second);
    return;
  }
  std::vector<std::string> parts = characters_of(word);
  constexpr std::size_t none = std::numeric_limits<std::size_t>::max();
  while (parts.size() > 1) {
    std::size_t first = none;
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
      const auto joined = places_.find(parts[i] + parts[i + 1]);
      if (joined == places_.end() || joined->second >= first) continue;
      first = joined->second;
      at = i;
    }
    if (first == none) break;
    parts[at] += parts[at + 1];
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
  for (const std::string& part : parts) {
    const auto known = places_.find(part);
    tokens.push_back(known == places_.end() ? unknown : known->second);
  }
}

std::vector<std::size_t> Vocabulary::tokens_of(std::string_view text) const {
  std::vector<std::size_t> tokens;
  for (const std::string& word : words_of(text)) add_tokens_of_word(word, tokens);
  return tokens;
}

std::string Vocabulary::text_of(const std::vector<std::size_t>& tokens) const {
  std::string text;
  for (const std::size_t token : tokens) {
    if (token <= unknown || token >= pieces_.size()) continue;
    const std::string& piece = pieces_[token];
    const bool begins_word = piece.starts_with(word_mark);
    if (begins_word && !text.empty()) text += ' ';
    text += begins_word ? piece.substr(word_mark.size()) : piece;
  }
  return text;
}

}  // namespace translation
