#include "draw/text/shaped_runs.hpp"

#include <utf8/core.h>
#include <utf8/unchecked.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace draw {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

bool in(std::span<const Range> sorted, char32_t letter) {
  const auto after =
      std::upper_bound(sorted.begin(), sorted.end(), letter,
                       [](char32_t value, const Range& range) { return value < range.first; });
  return after != sorted.begin() && letter <= std::prev(after)->last;
}

// Scripts written from right to left, scripts whose letters change with their neighbours, and
// emoji.
constexpr Range shaped[] = {
    {0x0590, 0x08FF},    // Hebrew, Arabic, Syriac, Thaana, N'Ko, Samaritan, Mandaic
    {0x0900, 0x0DFF},    // Devanagari to Sinhala
    {0x0E00, 0x0EFF},    // Thai, Lao: marks above and below
    {0x0F00, 0x109F},    // Tibetan, Burmese
    {0x1700, 0x18AF},    // Philippine scripts, Khmer, Mongolian
    {0x1900, 0x1CFF},    // Limbu to Vedic extensions
    {0x200C, 0x200F},    // joiners and direction marks
    {0x202A, 0x202E},    // direction marks
    {0x2066, 0x2069},    // direction marks
    {0xA800, 0xABFF},    // Syloti Nagri to Meetei Mayek
    {0xFB1D, 0xFDFF},    // Hebrew and Arabic presentation forms
    {0xFE70, 0xFEFE},    // Arabic presentation forms
    {0x10800, 0x11FFF},  // historic right-to-left scripts; Brahmi to Tamil supplement
    {0x1E800, 0x1EFFF},  // Mende Kikakui, Adlam, Arabic mathematical letters
    {0x1F000, 0x1FBFF},  // emoji and other symbols
};

// Marks that belong to the letter before them.
constexpr Range attached[] = {
    {0x0300, 0x036F}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},   {0x200C, 0x200D},   {0x20D0, 0x20FF},
    {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0x1F3FB, 0x1F3FF}, {0xE0020, 0xE007F}, {0xE0100, 0xE01EF},
};

constexpr Range flags[] = {{0x1F1E6, 0x1F1FF}};  // two of these make a flag

constexpr Range emoji[] = {{0x1F000, 0x1FBFF}};

constexpr char32_t joiner = 0x200D;
constexpr char32_t emoji_style = 0xFE0F;  // shows the letter before it as an emoji
constexpr char32_t first_private = 0xE000;
constexpr char32_t last_private = 0xF8FF;

/// The code point at the start of `text`, and its length in bytes.
struct Letter {
  char32_t code = 0xFFFD;
  std::size_t length = 1;
};

Letter letter_at(std::string_view text) {
  const std::string_view first = text.substr(0, 4);  // the longest code point has 4 bytes
  if (utf8::find_invalid(first.begin(), first.end()) == first.begin()) return {};
  const char* end = text.data();
  const char32_t code = utf8::unchecked::next(end);
  return {code, static_cast<std::size_t>(end - text.data())};
}

/// One character as a reader sees it.
struct Character {
  std::size_t length = 0;  ///< in bytes
  std::size_t letters = 0;
  bool is_shaped = false;
  bool is_emoji = false;  ///< has its own colours
};

Character character_at(std::string_view text) {
  const Letter first = letter_at(text);
  Character all{first.length, 1, in(shaped, first.code), in(emoji, first.code)};
  char32_t before = first.code;
  bool half_a_flag = in(flags, before);
  while (all.length < text.size() && all.letters < longest_run) {
    const Letter next = letter_at(text.substr(all.length));
    const bool flag = std::exchange(half_a_flag, false) && in(flags, next.code);
    if (!flag && before != joiner && !in(attached, next.code)) break;
    all.length += next.length;
    ++all.letters;
    all.is_shaped = true;
    all.is_emoji = all.is_emoji || next.code == emoji_style;
    before = next.code;
  }
  return all;
}

/// The length in bytes of the run at the start of `text`; 0 if its first character needs no
/// shaping. A space belongs to a run if there are shaped characters on both sides. An emoji is
/// always a run by itself, because its glyph has its own colours and all others get the text's.
std::size_t run_length(std::string_view text) {
  std::size_t length = 0;
  std::size_t letters = 0;
  while (length < text.size()) {
    const std::size_t space = length > 0 && text[length] == ' ' ? 1 : 0;
    if (length + space == text.size()) break;
    const Character next = character_at(text.substr(length + space));
    letters += space + next.letters;
    if (!next.is_shaped || (length > 0 && (next.is_emoji || letters > longest_run))) break;
    length += space + next.length;
    if (next.is_emoji) break;
  }
  return length;
}

/// The private letter of each run. ImGui's atlas stores glyphs by these letters, so a run keeps its
/// letter until the program ends.
struct Runs {
  std::map<std::string, char32_t, std::less<>> letters;
  std::vector<std::string_view> texts;
};

Runs& runs() {
  static Runs all;
  return all;
}

void append(std::string& text, char32_t letter) {
  utf8::unchecked::append(letter, std::back_inserter(text));
}

void append_run(std::string& text, std::string_view run) {
  auto& [letters, texts] = runs();
  auto known = letters.find(run);
  if (known == letters.end()) {
    const char32_t next = first_private + static_cast<char32_t>(texts.size());
    if (next > last_private) {
      text += run;
      return;
    }
    known = letters.emplace(run, next).first;
    texts.push_back(known->first);
  }
  append(text, known->second);
}

}  // namespace

std::string with_runs(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    std::size_t length = run_length(text);
    if (length > 0) {
      append_run(result, text.substr(0, length));
    } else {
      const Letter letter = letter_at(text);
      length = letter.length;
      if (letter.code >= first_private && letter.code <= last_private) {
        append(result, 0xFFFD);
      } else {
        result += text.substr(0, length);
      }
    }
    text.remove_prefix(length);
  }
  return result;
}

std::string_view run_of(char32_t letter) {
  const auto& texts = runs().texts;
  if (letter < first_private || letter - first_private >= texts.size()) return {};
  return texts[letter - first_private];
}

std::size_t character_end(std::string_view text) {
  return text.empty() ? 0 : character_at(text).length;
}

}  // namespace draw
