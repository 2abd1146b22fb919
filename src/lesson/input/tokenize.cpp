#include "lesson/input/tokenize.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <span>

// The checked part of utfcpp throws; these two headers do not.
#include <utf8/core.h>
#include <utf8/unchecked.h>

#include "base/text.hpp"

namespace lesson {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

bool in(std::span<const Range> sorted, char32_t c) {
  const auto after =
      std::upper_bound(sorted.begin(), sorted.end(), c,
                       [](char32_t value, const Range& range) { return value < range.first; });
  return after != sorted.begin() && c <= std::prev(after)->last;
}

// Unicode's White_Space, and the zero width space, which marks word boundaries invisibly.
constexpr std::array white_space = {
    Range{0x0009, 0x000D}, Range{0x0020, 0x0020}, Range{0x0085, 0x0085}, Range{0x00A0, 0x00A0},
    Range{0x1680, 0x1680}, Range{0x2000, 0x200B}, Range{0x2028, 0x2029}, Range{0x202F, 0x202F},
    Range{0x205F, 0x205F}, Range{0x3000, 0x3000},
};

constexpr std::array control = {Range{0x0000, 0x001F}, Range{0x007F, 0x009F}};

// Scripts that are written without spaces between words, with their punctuation.
constexpr std::array without_spaces = {
    Range{0x0E00, 0x0EFF},    // Thai, Lao
    Range{0x1000, 0x109F},    // Burmese
    Range{0x1780, 0x17FF},    // Khmer
    Range{0x19E0, 0x19FF},    // Khmer symbols
    Range{0x2E80, 0x2FDF},    // Han radicals
    Range{0x3001, 0x30FF},    // CJK punctuation, hiragana, katakana
    Range{0x3100, 0x312F},    // bopomofo
    Range{0x31A0, 0x31BF},    // bopomofo
    Range{0x31F0, 0x31FF},    // katakana for Ainu
    Range{0x3400, 0x4DBF},    // Han
    Range{0x4E00, 0x9FFF},    // Han
    Range{0xA9E0, 0xA9FF},    // Burmese
    Range{0xAA60, 0xAA7F},    // Burmese
    Range{0xF900, 0xFAFF},    // Han
    Range{0xFF01, 0xFF0F},    // full-width punctuation
    Range{0xFF1A, 0xFF20},    // full-width punctuation
    Range{0xFF5B, 0xFF9F},    // full-width brackets, half-width katakana
    Range{0x1AFF0, 0x1B16F},  // kana
    Range{0x20000, 0x323AF},  // Han
};

// What belongs to the character before it: combining marks that are in use with the scripts above,
// marks of any script, joiners and variation selectors.
constexpr std::array joins_left = {
    Range{0x0300, 0x036F}, Range{0x0E31, 0x0E31},   Range{0x0E33, 0x0E3A}, Range{0x0E47, 0x0E4E},
    Range{0x0EB1, 0x0EB1}, Range{0x0EB3, 0x0EBC},   Range{0x0EC8, 0x0ECE}, Range{0x102B, 0x103E},
    Range{0x1056, 0x1059}, Range{0x105E, 0x1060},   Range{0x1062, 0x1064}, Range{0x1067, 0x106D},
    Range{0x1071, 0x1074}, Range{0x1082, 0x108D},   Range{0x108F, 0x108F}, Range{0x109A, 0x109D},
    Range{0x17B4, 0x17D3}, Range{0x17DD, 0x17DD},   Range{0x1AB0, 0x1AFF}, Range{0x1DC0, 0x1DFF},
    Range{0x200C, 0x200D}, Range{0x20D0, 0x20FF},   Range{0x302A, 0x302F}, Range{0x3099, 0x309A},
    Range{0xA9E5, 0xA9E5}, Range{0xAA7B, 0xAA7D},   Range{0xFE00, 0xFE0F}, Range{0xFE20, 0xFE2F},
    Range{0xFF9E, 0xFF9F}, Range{0xE0100, 0xE01EF},
};

/// After these the next consonant is written below the last one: Burmese virama, Khmer coeng.
constexpr bool stacks_next(char32_t c) { return c == 0x1039 || c == 0x17D2; }

std::string in_hexadecimal(char32_t c) {
  char text[16];
  std::snprintf(text, sizeof text, "U+%04X", static_cast<unsigned>(c));
  return text;
}

/// Collects tokens. Beyond the limits it only counts, so that a huge text needs no memory.
class Tokens {
 public:
  void add(std::string_view character) {
    if (length_ == 0) ++count_;
    ++length_;
    longest_ = std::max(longest_, length_);
    if (count_ > max_tokens || length_ > max_token_length) return;
    if (length_ == 1) tokens_.emplace_back();
    tokens_.back() += character;
  }
  void end_token() { length_ = 0; }

  std::size_t count() const { return count_; }
  std::size_t longest() const { return longest_; }
  std::vector<std::string> take() { return std::move(tokens_); }

 private:
  std::vector<std::string> tokens_;
  std::size_t count_ = 0;
  std::size_t length_ = 0;
  std::size_t longest_ = 0;
};

}  // namespace

base::Result<std::vector<std::string>> tokenize(std::string_view text) {
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  if (const char* invalid = utf8::find_invalid(begin, end); invalid != end) {
    return base::fail(base::text("lesson.sentence.not_utf8", {{"byte", invalid - begin}}));
  }
  Tokens tokens;
  bool single = false;   // the token so far is one character of a script without spaces
  bool stacked = false;  // the next character goes below the last one
  for (const char* next = begin; next != end;) {
    const char* const start = next;
    const char32_t c = utf8::unchecked::next(next);
    const std::string_view character(start, static_cast<std::size_t>(next - start));
    if (in(white_space, c)) {
      tokens.end_token();
      single = stacked = false;
      continue;
    }
    if (in(control, c)) {
      return base::fail(base::text("lesson.sentence.control", {{"character", in_hexadecimal(c)}}));
    }
    if (!stacked && !in(joins_left, c)) {
      const bool stands_alone = in(without_spaces, c);
      if (stands_alone || single) tokens.end_token();
      single = stands_alone;
    }
    tokens.add(character);
    stacked = stacks_next(c);
  }
  if (tokens.count() == 0) return base::fail(base::text("lesson.sentence.empty"));
  if (tokens.count() > max_tokens) {
    return base::fail(
        base::text("lesson.sentence.too_long", {{"tokens", tokens.count()}, {"most", max_tokens}}));
  }
  if (tokens.longest() > max_token_length) {
    return base::fail(base::text("lesson.sentence.long_word",
                                 {{"characters", tokens.longest()}, {"most", max_token_length}}));
  }
  return tokens.take();
}

}  // namespace lesson
