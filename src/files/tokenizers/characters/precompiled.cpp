#include "files/tokenizers/characters/precompiled.hpp"

#include <algorithm>

#include <utf8/unchecked.h>

#include "files/tokenizers/characters/unicode.hpp"
#include "files/tokenizers/described.hpp"

namespace files {
namespace {

// A unit of the double array.
bool has_leaf(std::uint32_t unit) { return ((unit >> 8U) & 1U) == 1U; }
std::uint32_t label_of(std::uint32_t unit) { return unit & ((1U << 31U) | 0xFFU); }
std::uint32_t offset_of(std::uint32_t unit) { return (unit >> 10U) << ((unit & (1U << 9U)) >> 6U); }
std::uint32_t value_of(std::uint32_t unit) { return unit & ((1U << 31U) - 1U); }

/// Whether a byte begins a character of UTF-8.
bool is_beginning(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

}  // namespace

std::optional<Precompiled> Precompiled::read(const std::vector<std::uint8_t>& bytes) {
  constexpr std::size_t word = 4;
  const auto word_at = [&](std::size_t place) {
    return std::uint32_t{bytes[place]} | std::uint32_t{bytes[place + 1]} << 8U |
           std::uint32_t{bytes[place + 2]} << 16U | std::uint32_t{bytes[place + 3]} << 24U;
  };
  if (bytes.size() < word) return std::nullopt;
  const std::size_t length = word_at(0);
  if (length % word != 0 || length == 0 || length > bytes.size() - word) return std::nullopt;
  Precompiled made;
  for (std::size_t place = word; place < word + length; place += word)
    made.trie_.push_back(word_at(place));
  made.texts_.assign(bytes.begin() + static_cast<std::ptrdiff_t>(word + length), bytes.end());
  if (!unicode::is_utf8(made.texts_)) return std::nullopt;
  return made;
}

std::string Precompiled::operator()(const std::string& text) const {
  std::string result;
  for (std::size_t begin = 0; begin < text.size();) {
    std::size_t end = begin;  // of the longest that was found
    std::uint32_t value = 0;
    std::size_t node = offset_of(trie_[0]);
    for (std::size_t i = begin; i < text.size(); ++i) {
      const auto byte = static_cast<unsigned char>(text[i]);
      node ^= byte;
      if (byte == 0 || node >= trie_.size() || label_of(trie_[node]) != byte) break;
      const std::uint32_t unit = trie_[node];
      node ^= offset_of(unit);
      if (!has_leaf(unit)) continue;
      if (node >= trie_.size()) break;
      if (i + 1 < text.size() && !is_beginning(text[i + 1])) continue;
      end = i + 1;
      value = value_of(trie_[node]);
    }
    if (end == begin) {
      auto next = text.begin() + static_cast<std::ptrdiff_t>(begin);
      utf8::unchecked::next(next);
      end = static_cast<std::size_t>(next - text.begin());
      result.append(text, begin, end - begin);
    } else if (value < texts_.size() && is_beginning(texts_[value])) {
      const std::size_t length = std::min(texts_.find('\0', value), texts_.size()) - value;
      if (length <= longest_replacement) result.append(texts_, value, length);
    }
    begin = end;
  }
  return result;
}

}  // namespace files
