// Text that cannot be set letter by letter: Arabic letters join, Hebrew runs from right to left,
// Devanagari vowels change places, and one emoji can have seven code points. ImGui sets one glyph
// after the other, so a run of such letters becomes one glyph, drawn as a whole by the platform.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace draw {

/// The longest run, in code points; longer ones are drawn in pieces.
inline constexpr std::size_t longest_run = 48;

/// `text` (UTF-8) with a private letter (U+E000 … U+F8FF) in the place of each run that has to be
/// drawn as a whole. Private letters of the text's own become U+FFFD. If all 6,400 private letters
/// are taken, further runs stay as they are.
std::string with_runs(std::string_view text);

/// The run (UTF-8) for which `letter` stands; empty if it stands for none.
std::string_view run_of(char32_t letter);

/// The end of the first character of `text` as a reader counts them (with its accents, joiners and
/// modifiers), in bytes. A broken byte counts as one character; 0 for an empty text.
std::size_t character_end(std::string_view text);

}  // namespace draw
