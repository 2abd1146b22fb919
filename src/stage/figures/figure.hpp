// What is drawn beside matrices (words, lines, bars, patches of colour) and what the pointer can do
// there. Only geometry and meaning: the drawing code chooses colours and fonts.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "document/document.hpp"
#include "stage/layout/geometry.hpp"

namespace stage {

/// What an element means, from which the drawing code decides how it looks.
enum class Tone : unsigned char {
  text,    ///< words to read
  strong,  ///< a heading or the chosen item
  quiet,   ///< labels and notes
  line,    ///< axes and rules
  accent,  ///< chosen or moved by hand
  head,    ///< in the hue of its head
  paper,   ///< the page's background, to dim what is below
  result,  ///< a result
  wrong,   ///< spoiled by a mistake
  below,   ///< a negative number, where `result` means a positive one
};

enum class Side : unsigned char { left, centre, right };

/// One line of words, or one number.
struct Words {
  Point at;  ///< left end, middle or right end, at half the line's height
  Side side = Side::left;
  std::string text;
  Tone tone = Tone::text;
  float size = 12.0F;    ///< logical pixels at zoom 1
  bool number = false;   ///< set in tabular figures
  bool formula = false;  ///< set ᵀ as a superscript
  std::optional<std::size_t> head;
  /// The cell whose number this is. Its text is then number_text of the value in the trace, which
  /// tests check.
  std::optional<document::CellRef> cell;
  /// On a plate of the page's colour and in front of what moves, so that it is always readable.
  bool plate = false;
};

/// A line, an outline or an arrow.
struct Stroke {
  std::vector<Point> points;
  Tone tone = Tone::line;
  std::optional<std::size_t> head;
  float width = 1.0F;
  float opacity = 1.0F;
  bool arrow = false;  ///< with a tip at its last point
  bool dashed = false;
  bool curved = false;  ///< `points` are the control points of a cubic Bézier curve
};

/// A filled band from a horizontal stretch to a lower one, with S-shaped sides that join the ends
/// of the two stretches.
struct Band {
  float top = 0.0F;
  float bottom = 0.0F;
  std::array<float, 2> upper{};  ///< left and right end at `top`
  std::array<float, 2> lower{};  ///< left and right end at `bottom`
  float drawn = 1.0F;            ///< how far down it has been drawn, 0 … 1
  Tone tone = Tone::head;
  std::optional<std::size_t> head;
  float opacity = 1.0F;
};

/// A filled rectangle whose length shows a number.
struct Bar {
  Rect place;
  Tone tone = Tone::head;
  std::optional<std::size_t> head;
  float opacity = 1.0F;
  float value = 0.0F;                     ///< the number that the length shows
  std::optional<document::CellRef> cell;  ///< the cell with that number, if any
};

/// One pixel of a picture.
struct Patch {
  Rect place;
  unsigned char red = 0;
  unsigned char green = 0;
  unsigned char blue = 0;
  float opacity = 1.0F;
};

/// An area that reacts to the pointer. `label` says how, for tooltips and screen readers.
struct Target {
  Rect place;
  std::string label;
  std::optional<document::Command> click;
  /// Called while the target is dragged, with the pointer's place on the plane; returns the command
  /// to carry out.
  std::function<std::optional<document::Command>(Point)> drag;
  /// Carried out as soon as the pointer is over the target.
  std::optional<document::Command> point = std::nullopt;
  /// While the mouse is over the target, everything is shown as if this head was chosen.
  std::optional<document::ChooseHeadOf> preview = std::nullopt;
};

/// The figure with the maps of all heads, which one zooms into.
inline constexpr std::string_view all_heads_name = "all-heads";

/// A picture that explains a step. All places are on the plane.
struct Figure {
  std::string name;  ///< such as "softmax-row"; readers do not see it
  Rect bounds;
  std::vector<Patch> patches;  ///< drawn first
  std::vector<Band> bands;
  std::vector<Bar> bars;
  std::vector<Stroke> strokes;
  std::vector<Words> words;
  std::vector<Target> targets;
  /// It belongs to the layout of the matrices and is not a figure beside them.
  bool of_matrices = false;
  float opacity = 1.0F;
};

/// Moves everything; only a target's `drag` still expects points where they were before.
void move(Figure& figure, float dx, float dy);
/// Scales everything around the plane's origin, then moves it.
void zoom(Figure& figure, float factor, float dx, float dy);

}  // namespace stage
