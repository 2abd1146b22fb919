// The equation of the cell in focus; each number has the background of its cell.
#pragma once

#include "draw/view.hpp"

namespace draw {

/// The background colour that a cell has on the stage.
Rgb fill_of(const Screen& screen, const model::Cell& cell);

/// Draws a number on that background; `at` is its left end at half its height. Returns its width in
/// logical pixels; if `list` is null, it only measures.
float number_on_fill(ImDrawList* list, const Screen& screen, float size, stage::Point at,
                     const model::Cell& cell);

/// Draws the equation in as many lines, and with as many terms, as fit into `place`. Returns the
/// height that it takes, or 0 if not even one term fits.
float draw_equation(const Screen& screen, const stage::Rect& place, float size);

}  // namespace draw
