// The equation of the focus, each number on the fill of the cell that it is of.
#pragma once

#include "draw/view.hpp"

namespace draw {

/// The fill of a cell, as the stage has it.
Rgb fill_of(const Screen& screen, const model::Cell& cell);

/// A number on that fill, its left end at `at.x` and its middle at `at.y`. Returns its width, with
/// `list` null without drawing it.
float number_on_fill(ImDrawList* list, const Screen& screen, float size, stage::Point at,
                     const model::Cell& cell);

/// Draws the equation in as many lines as `place` has room for, with as many terms as fit there.
/// Returns the height that it takes.
float draw_equation(const Screen& screen, const stage::Rect& place, float size);

}  // namespace draw
