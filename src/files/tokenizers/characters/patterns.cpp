#include "files/tokenizers/characters/patterns.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "files/tokenizers/characters/unicode.hpp"

namespace files {
namespace {

using unicode::is_letter;
using unicode::is_number;
using unicode::is_space;

bool is_rest(char32_t character) {
  return !is_space(character) && !is_letter(character) && !is_number(character);
}
bool is_newline(char32_t character) { return character == U'\n' || character == U'\r'; }

/// A text and a place in it. Each function moves over what it is named after, and says whether
/// anything was there.
struct Reader {
  std::u32string_view text;
  std::size_t place = 0;

  bool at_end() const { return place == text.size(); }
  bool next_is(bool (*kind)(char32_t), std::size_t ahead = 0) const {
    return place + ahead < text.size() && kind(text[place + ahead]);
  }
  bool take_all(bool (*kind)(char32_t),
                std::size_t most = std::numeric_limits<std::size_t>::max()) {
    const std::size_t begin = place;
    while (place - begin < most && next_is(kind)) ++place;
    return place > begin;
  }
  bool take_contraction(bool any_case) {
    constexpr std::array<std::u32string_view, 7> all = {U"s", U"t",  U"re", U"ve",
                                                        U"m", U"ll", U"d"};
    if (at_end() || text[place] != U'\'') return false;
    for (const std::u32string_view each : all) {
      std::u32string next(text.substr(place + 1, each.size()));
      if (any_case) next = unicode::lowered(next);
      if (next != each) continue;
      place += 1 + each.size();
      return true;
    }
    return false;
  }
  /// One or more of a kind, with a space before them or without.
  bool take_with_space(bool (*kind)(char32_t)) {
    const std::size_t begin = place;
    if (!at_end() && text[place] == U' ') ++place;
    if (take_all(kind)) return true;
    place = begin;
    return false;
  }
  /// \s+(?!\S)|\s+: but for the last, which belongs to the word behind it.
  void take_spaces() {
    const std::size_t begin = place;
    take_all(is_space);
    if (!at_end() && place - begin > 1) --place;
  }
};

Ends llama3(std::u32string_view text) { return llama3_parts(text, 3); }
Ends qwen2(std::u32string_view text) { return llama3_parts(text, 1); }

}  // namespace

Ends gpt2_parts(std::u32string_view text) {
  Ends ends;
  for (Reader reader{text}; !reader.at_end(); ends.push_back(reader.place)) {
    if (reader.take_contraction(false) || reader.take_with_space(is_letter) ||
        reader.take_with_space(is_number) || reader.take_with_space(is_rest))
      continue;
    reader.take_spaces();
  }
  return ends;
}

Ends llama3_parts(std::u32string_view text, std::size_t digits) {
  Ends ends;
  for (Reader reader{text}; !reader.at_end(); ends.push_back(reader.place)) {
    if (reader.take_contraction(true)) continue;
    const char32_t first = text[reader.place];
    const bool may_lead = !is_newline(first) && !is_letter(first) && !is_number(first);
    if (may_lead && reader.next_is(is_letter, 1)) ++reader.place;
    if (reader.take_all(is_letter) || reader.take_all(is_number, digits)) continue;
    if (reader.take_with_space(is_rest)) {
      reader.take_all(is_newline);
      continue;
    }
    // \s*[\r\n]+: up to the last line break of what is between two words.
    Reader all = reader;
    all.take_all(is_space);
    const std::size_t last = text.substr(0, all.place).find_last_of(U"\r\n");
    if (last != std::u32string_view::npos && last >= reader.place)
      reader.place = last + 1;
    else
      reader.take_spaces();
  }
  return ends;
}

Pattern pattern_named(std::string_view regex) {
  if (regex == R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)")
    return gpt2_parts;
  constexpr std::string_view begin =
      R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N})";
  constexpr std::string_view end = R"(| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
  if (!regex.starts_with(begin) || !regex.ends_with(end)) return nullptr;
  if (regex.size() < begin.size() + end.size()) return nullptr;
  const std::string_view digits =
      regex.substr(begin.size(), regex.size() - begin.size() - end.size());
  return digits.empty() ? qwen2 : digits == "{1,3}" ? llama3 : nullptr;
}

}  // namespace files
