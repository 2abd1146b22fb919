// Measures, shortens and breaks text without a font: figures are laid out before they are drawn,
// and in tests that have no window.
#pragma once

#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "stage/figures/figure.hpp"

namespace stage {

/// An empty figure with this name and place.
Figure figure_in(std::string name, const Rect& bounds);

/// Words, or a number in tabular figures, with all other properties at their defaults.
Words words_at(Point at, Side side, std::string_view text, Tone tone, float size);
Words number_at(Point at, Side side, std::string_view text, Tone tone, float size);
/// A straight line with all other properties at their defaults.
Stroke line_between(Point from, Point to, Tone tone = Tone::line);

/// The same, added to the figure. The caller can set more properties through the reference, which
/// is valid until the figure changes again.
Words& add_words(Figure& figure, Point at, Side side, std::string_view text, Tone tone, float size);
Words& add_number(Figure& figure, Point at, Side side, std::string_view text, Tone tone,
                  float size);
Stroke& add_line(Figure& figure, Point from, Point to, Tone tone = Tone::line);
/// Adds the outline of a rectangle.
void add_frame(Figure& figure, const Rect& around, Tone tone, float width);

/// The width of a text in logical pixels: slightly more than it needs in Inter or, for a `number`,
/// exactly what it needs in JetBrains Mono. `strong`: semibold.
float text_width(std::string_view text, float size, bool number = false, bool strong = false);

/// The area that words need, at most.
Rect place_of(const Words& words);

/// Whether a text fits where it is to be set.
using Fits = std::function<bool(const std::string&)>;

/// `text`, with an ellipsis in the place of some letters if it does not fit. Both ends remain, so
/// that words with the same beginning or end stay distinct. `from_front`: the share of the
/// remaining letters, 0 … 1, that comes from the beginning. Empty where not even the first and the
/// last letter fit.
std::string shortened(std::string_view text, const Fits& fits, float from_front = 0.5F);

/// The labels of one axis, each shortened as far as necessary. Where two different texts would look
/// alike, other letters of them are kept or a label gives way to its index, such as "#3".
std::vector<std::string> shortened_apart(const std::vector<std::string>& texts, const Fits& fits);
std::vector<std::string> shortened_apart(const std::vector<std::string>& texts, float size,
                                         float width);

/// `text`, shortened in the middle if it is wider than `width`.
std::string cut_to(std::string_view text, float size, float width);

/// The same thing said at several lengths, from long to short.
struct Lengths {
  std::vector<std::string> all;
  Lengths(std::initializer_list<std::string_view> texts) : all(texts.begin(), texts.end()) {}
};
/// The first of `texts` that fits into `width`; if none does, the last one, shortened. `strong`: as
/// it will be set.
std::string longest_fitting(const Lengths& texts, float size, float width, bool strong = false);

/// `text`, broken between words into lines that are at most `width` wide. A word that is longer
/// than a line is shortened.
std::vector<std::string> lines_of(std::string_view text, float size, float width);
/// The lines of several texts; each text begins on a new line.
std::vector<std::string> lines_of(const std::vector<std::string>& texts, float size, float width);

}  // namespace stage
