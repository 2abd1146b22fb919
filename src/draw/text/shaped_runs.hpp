// Text that cannot be set letter by letter: Arabic letters join, Hebrew runs from right to left,
// Devanagari vowels change places, and one emoji can have seven code points. ImGui sets one glyph
// after another, so each run of such letters becomes one glyph that the platform draws.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace draw {

/// The longest run, in code points; longer ones are split.
inline constexpr std::size_t longest_run = 48;

/// A part of a line that is set at once.
struct Piece {
  std::string_view text;
  bool is_run = false;   ///< drawn as a whole
  bool to_left = false;  ///< its first letter stands on the right
};

/// Whether a line is written from right to left: its first letter with a direction says so.
bool runs_to_left(std::string_view line);

/// The parts of a line (UTF-8) in the order in which they stand on the screen, from left to right.
/// Each byte is in one of them. This is what a line of words needs of the Unicode Bidirectional
/// Algorithm (UAX #9): no embedding, no numbers with signs.
std::vector<Piece> pieces_of(std::string_view line);

/// `text` (UTF-8, lines in the order of the screen) with a private letter (U+E000 … U+F8FF) in
/// place of each run that has to be drawn as a whole. Private letters that are in the text already
/// become U+FFFD. When all 6,400 private letters are in use, further runs stay as they are.
std::string with_runs(std::string_view text);

/// The run (UTF-8) that `letter` stands for; empty if it stands for none.
std::string_view run_of(char32_t letter);

/// Where the first character of `text` ends, in bytes; accents, joiners and modifiers belong to it.
/// An invalid byte counts as one character. 0 for an empty text.
std::size_t character_end(std::string_view text);

}  // namespace draw
