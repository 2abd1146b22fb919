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

// Scripts written from right to left.
constexpr Range leftward[] = {
    {0x0590, 0x08FF}, {0x200F, 0x200F},   {0xFB1D, 0xFDFF},
    {0xFE70, 0xFEFE}, {0x10800, 0x10FFF}, {0x1E800, 0x1EFFF},
};

// Digits, punctuation, symbols and spaces: they go with the letters around them.
constexpr Range undirected[] = {
    {0x0000, 0x0040}, {0x005B, 0x0060}, {0x007B, 0x00BF},   {0x00D7, 0x00D7},   {0x00F7, 0x00F7},
    {0x0300, 0x036F}, {0x2000, 0x200D}, {0x2010, 0x206F},   {0x20A0, 0x20FF},   {0x2190, 0x2BFF},
    {0x3000, 0x3020}, {0xFE00, 0xFE0F}, {0x1F000, 0x1FBFF}, {0xE0000, 0xE0FFF},
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

/// Private letters become U+FFFD.
void append_plain(std::string& text, std::string_view plain) {
  while (!plain.empty()) {
    const Letter letter = letter_at(plain);
    if (letter.code >= first_private && letter.code <= last_private) {
      append(text, 0xFFFD);
    } else {
      text += plain.substr(0, letter.length);
    }
    plain.remove_prefix(letter.length);
  }
}

enum class Direction : unsigned char { none, right, left };

Direction direction_of(char32_t letter) {
  if (in(leftward, letter)) return Direction::left;
  return in(undirected, letter) ? Direction::none : Direction::right;
}

/// A part of a line whose letters all have one direction.
struct Stretch {
  std::string_view text;
  bool to_left = false;
};

/// The stretches of a line in the order in which they are read. What has no direction between two
/// letters of the same one belongs to them, else it has the line's.
std::vector<Stretch> stretches_of(std::string_view line, bool line_to_left) {
  std::vector<Stretch> stretches;
  const auto add = [&](std::string_view text, bool to_left) {
    if (text.empty()) return;
    if (!stretches.empty() && stretches.back().to_left == to_left) {
      const char* begin = stretches.back().text.data();
      text = {begin, static_cast<std::size_t>(text.data() + text.size() - begin)};
      stretches.pop_back();
    }
    stretches.push_back({text, to_left});
  };
  bool before = line_to_left;  // the direction of the last letter that has one
  std::size_t waiting = 0;     // where what has no direction begins
  for (std::size_t at = 0; at < line.size();) {
    const Direction direction = direction_of(letter_at(line.substr(at)).code);
    const std::size_t length = character_at(line.substr(at)).length;
    if (direction != Direction::none) {
      const bool to_left = direction == Direction::left;
      add(line.substr(waiting, at - waiting), before == to_left ? to_left : line_to_left);
      add(line.substr(at, length), to_left);
      before = to_left;
      waiting = at + length;
    }
    at += length;
  }
  add(line.substr(waiting), line_to_left);
  return stretches;
}

/// Letters one by one, and the runs between them.
void add_rightward(std::string_view text, std::vector<Piece>& pieces) {
  std::size_t plain = 0;
  const auto end_plain = [&](std::size_t end) {
    if (end > plain) pieces.push_back({text.substr(plain, end - plain)});
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t run = run_length(text.substr(at));
    if (run > 0) {
      end_plain(at);
      pieces.push_back({text.substr(at, run), true});
      plain = at + run;
    }
    at += run > 0 ? run : letter_at(text.substr(at)).length;
  }
  end_plain(text.size());
}

/// Word by word from the last to the first: while one types, only one of them changes.
void add_leftward(std::string_view text, std::vector<Piece>& pieces) {
  std::vector<Piece> read;  // in the order of reading
  for (std::size_t at = 0; at < text.size();) {
    const bool space = text[at] == ' ';
    Piece piece{{}, false, space};
    std::size_t end = at;
    std::size_t letters = 0;
    while (end < text.size() && (text[end] == ' ') == space) {
      const Character next = character_at(text.substr(end));
      letters += next.letters;
      if (end > at && (next.is_emoji || letters > longest_run)) break;
      piece.to_left =
          piece.to_left || direction_of(letter_at(text.substr(end)).code) == Direction::left;
      piece.is_run = !space && (piece.is_run || piece.to_left || next.is_shaped);
      end += next.length;
      if (next.is_emoji) break;
    }
    piece.text = text.substr(at, end - at);
    read.push_back(piece);
    at = end;
  }
  pieces.insert(pieces.end(), read.rbegin(), read.rend());
}

}  // namespace

bool runs_to_left(std::string_view line) {
  while (!line.empty()) {
    const Letter letter = letter_at(line);
    const Direction direction = direction_of(letter.code);
    if (direction != Direction::none) return direction == Direction::left;
    line.remove_prefix(letter.length);
  }
  return false;
}

std::vector<Piece> pieces_of(std::string_view line) {
  const bool to_left = runs_to_left(line);
  std::vector<Stretch> stretches = stretches_of(line, to_left);
  if (to_left) std::reverse(stretches.begin(), stretches.end());
  std::vector<Piece> pieces;
  for (const Stretch& stretch : stretches)
    (stretch.to_left ? add_leftward : add_rightward)(stretch.text, pieces);
  return pieces;
}

std::string with_runs(std::string_view text) {
  std::string result;
  while (true) {
    const std::size_t end = text.find('\n');
    for (const Piece& piece : pieces_of(text.substr(0, end))) {
      if (piece.is_run)
        append_run(result, piece.text);
      else
        append_plain(result, piece.text);
    }
    if (end == std::string_view::npos) return result;
    result += '\n';
    text.remove_prefix(end + 1);
  }
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
