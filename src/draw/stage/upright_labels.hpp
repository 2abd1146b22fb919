// The labels of columns that are narrower than the words: these stand upright over them.
#pragma once

#include <string>
#include <vector>

#include "draw/stage/stage_view.hpp"

namespace draw {

/// Sets the column labels of `block`, whose cells lie at `cells` on screen, in type of `size` in a
/// room over the cells that is `room` high (all in logical pixels), and adds what can be seen
/// through `viewport` to `texts`.
void put_upright_labels(const stage::Block& block, const stage::Rect& cells,
                        const stage::Rect& viewport, float room, ImFont* font, float size,
                        ImU32 colour, ImDrawList* list, std::vector<DrawnText>& texts);

}  // namespace draw
