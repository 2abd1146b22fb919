// Text that cannot be set letter by letter: Arabic letters join, Hebrew runs from right to left,
// Devanagari vowels change places, and one emoji can have seven code points. ImGui sets one glyph
// after another, so each run of such letters becomes one glyph that the platform draws.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace draw {

/// The longest run, in code points; longer ones are split.
inline constexpr std::size_t longest_run = 48;

/// `text` (UTF-8) with a private letter (U+E000 … U+F8FF) in place of each run that has to be drawn
/// as a whole. Private letters that are in the text already become U+FFFD. When all 6,400 private
/// letters are in use, further runs stay as they are.
std::string with_runs(std::string_view text);

/// The run (UTF-8) that `letter` stands for; empty if it stands for none.
std::string_view run_of(char32_t letter);

/// Where the first character of `text` ends, in bytes; accents, joiners and modifiers belong to it.
/// An invalid byte counts as one character. 0 for an empty text.
std::size_t character_end(std::string_view text);

}  // namespace draw
