// What is drawn beside matrices: words, lines, bars and patches of colour, and what can be done
// with them. Geometry and meaning only; colours and type are chosen where it is drawn.
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

/// What something is for: decides how it is drawn.
enum class Tone : unsigned char {
  text,    ///< words that are read
  strong,  ///< a heading, or what is chosen
  quiet,   ///< labels, notes
  line,    ///< axes, rules
  accent,  ///< what is chosen or moved by hand
  head,    ///< in the hue of a head
  paper,   ///< as what lies behind everything: dims what is under it
  result,  ///< what comes out
  wrong,   ///< what a mistake spoiled
  below,   ///< a number below 0, where `result` is one above
};

enum class Side : unsigned char { left, centre, right };

/// One line of words or one number.
struct Words {
  Point at;  ///< its left end, middle or right end, on the line's vertical middle
  Side side = Side::left;
  std::string text;
  Tone tone = Tone::text;
  float size = 12.0F;    ///< logical pixels at zoom 1
  bool number = false;   ///< set in tabular figures
  bool formula = false;  ///< ᵀ is raised
  std::optional<std::size_t> head;
  /// The cell whose number this is. Its text is then number_text of what the trace has there:
  /// tests hold it to that.
  std::optional<document::CellRef> cell;
  bool plate = false;  ///< on a plate of the page's colour: what lies under it may be any colour
};

/// A line, a polygon's outline or an arrow.
struct Stroke {
  std::vector<Point> points;
  Tone tone = Tone::line;
  std::optional<std::size_t> head;
  float width = 1.0F;
  float opacity = 1.0F;
  bool arrow = false;  ///< with a tip at its last point
  bool dashed = false;
  bool curved = false;  ///< `points` are the four of a cubic Bézier curve
};

/// A filled band from a stretch of one level to a stretch of a lower one, with S-shaped sides. Its
/// corners are the ends of the stretches.
struct Band {
  float top = 0.0F;
  float bottom = 0.0F;
  std::array<float, 2> upper{};  ///< left and right at `top`
  std::array<float, 2> lower{};  ///< ... at `bottom`
  float drawn = 1.0F;            ///< how much of its way down it is there, 0 … 1
  Tone tone = Tone::head;
  std::optional<std::size_t> head;
  float opacity = 1.0F;
};

/// A filled rectangle whose length means a number.
struct Bar {
  Rect place;
  Tone tone = Tone::head;
  std::optional<std::size_t> head;
  float opacity = 1.0F;
  float value = 0.0F;                     ///< the number that its length shows
  std::optional<document::CellRef> cell;  ///< whose number that is
};

/// A patch of a picture.
struct Patch {
  Rect place;
  unsigned char red = 0;
  unsigned char green = 0;
  unsigned char blue = 0;
  float opacity = 1.0F;
};

/// A place that does something. `label` says what, in words a person can be told.
struct Target {
  Rect place;
  std::string label;
  std::optional<document::Command> click;
  /// The command for the pointer at a point of the plane, while it drags this target.
  std::function<std::optional<document::Command>(Point)> drag;
  /// Done as soon as the pointer comes here.
  std::optional<document::Command> point = std::nullopt;
};

/// A picture that explains a step. All places are on the plane.
struct Figure {
  std::string name;  ///< "memory ribbon"
  Rect bounds;
  std::vector<Patch> patches;  ///< drawn first
  std::vector<Band> bands;
  std::vector<Bar> bars;
  std::vector<Stroke> strokes;
  std::vector<Words> words;
  std::vector<Target> targets;
  /// Part of how the matrices of the step are laid out, not a figure beside them.
  bool of_matrices = false;
  float opacity = 1.0F;
};

/// Moves all of it; what is dragged is found where it was.
void move(Figure& figure, float dx, float dy);
/// The same after it has been made larger by a factor, seen from the plane's origin.
void zoom(Figure& figure, float factor, float dx, float dy);

}  // namespace stage
