// What single cells show beside their colour.
#pragma once

#include "draw/theme.hpp"
#include "stage/layout/geometry.hpp"

struct ImDrawList;

namespace draw {

using stage::least_numbered_height;
using stage::least_numbered_width;
inline bool has_digits(float width, float height) {
  return width >= least_numbered_width && height >= least_numbered_height;
}

/// Without the stripes of a hidden cell behind it, "−∞" can be read. `glyph`: the width of a digit,
/// `size`: the height of the type; screen coordinates.
void plate_behind_infinity(stage::Point middle, float glyph, float size, float opacity,
                           const Theme& theme, ImDrawList* list);

/// A line through a weight that is 0 by definition because every key is hidden. It could be
/// mistaken for a computed one. Below the digits, not through them, where the cell has any.
void zero_by_definition_mark(const stage::Rect& cell, bool digits, const Theme& theme,
                             ImDrawList* list);

/// A corner of this size, on a number that a mistake spoiled.
void spoiled_mark(const stage::Rect& cell, float size, const Theme& theme, ImDrawList* list);

}  // namespace draw
