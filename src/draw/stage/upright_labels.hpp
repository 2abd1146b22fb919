// Upright labels over columns that are narrower than the words.
#pragma once

#include <string>
#include <vector>

#include "draw/stage/paint.hpp"

namespace draw {

/// Draws the column labels of `block`, whose cells are at `cells` on the screen, in type of `size`,
/// at most `room` high (all in logical pixels). Adds those that are visible in `viewport` to
/// `texts`.
void put_upright_labels(const stage::Block& block, const stage::Rect& cells,
                        const stage::Rect& viewport, float room, ImFont* font, float size,
                        ImU32 colour, ImDrawList* list, std::vector<DrawnText>& texts);

}  // namespace draw
