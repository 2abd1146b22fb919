// Words measured, cut and broken into lines without a font: figures are laid out before they are
// drawn, and by tests that have no window.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "stage/figures/figure.hpp"

namespace stage {

/// A figure with nothing in it yet.
Figure figure_in(std::string name, const Rect& bounds);

/// One line of words, or one number (in tabular figures), before it gets more.
Words words_at(Point at, Side side, std::string text, Tone tone, float size);
Words number_at(Point at, Side side, std::string text, Tone tone, float size);
/// A straight line.
Stroke line_between(Point from, Point to, Tone tone = Tone::line);

/// The same, put into the figure; the caller may say more of what is returned.
Words& add_words(Figure& figure, Point at, Side side, std::string text, Tone tone, float size);
Words& add_number(Figure& figure, Point at, Side side, std::string text, Tone tone, float size);
Stroke& add_line(Figure& figure, Point from, Point to, Tone tone = Tone::line);
/// The outline of a rectangle.
void add_frame(Figure& figure, const Rect& around, Tone tone, float width);

/// How wide a text is set, in logical pixels: a little more than Inter needs, or exactly what
/// JetBrains Mono does (`number`). `strong`: semibold.
float text_width(std::string_view text, float size, bool number = false, bool strong = false);

/// Where words are set, at most.
Rect place_of(const Words& words);

/// Whether a text has room where it is to be set.
using Fits = std::function<bool(const std::string&)>;

/// `text`, with an ellipsis in the place of some of its letters if it does not fit: words with the
/// same beginning or end stay apart. `from_front`: 0 … 1, the share of the letters that are kept at
/// the beginning. Empty where not even the first and the last letter fit.
std::string shortened(std::string_view text, const Fits& fits, float from_front = 0.5F);

/// The labels of one axis, each shortened as far as it must be, so that no two different ones look
/// alike: other letters are kept then, or a label's number stands in its place, "#3".
std::vector<std::string> shortened_apart(const std::vector<std::string>& texts, const Fits& fits);
std::vector<std::string> shortened_apart(const std::vector<std::string>& texts, float size,
                                         float width);

/// `text`, shortened in its middle to `width` if it is longer.
std::string cut_to(std::string_view text, float size, float width);

/// The first of `texts`, longest first, that fits into `width`; the last one, cut, where none does.
std::string longest_fitting(const std::vector<std::string>& texts, float size, float width);

/// `text` broken between words into lines no wider than `width`. A word that is longer than a line
/// is cut.
std::vector<std::string> lines_of(std::string_view text, float size, float width);
/// One text after the other, each from a line of its own.
std::vector<std::string> lines_of(const std::vector<std::string>& texts, float size, float width);

}  // namespace stage
