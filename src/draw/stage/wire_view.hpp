// A thin line with an arrowhead, from a matrix to one that is made from it.
#pragma once

#include <vector>

#include "imgui.h"

namespace draw {

/// Draws a line with an arrowhead at the last point. `points`, in logical pixels, are the control
/// points of a cubic Bézier curve (`curved`) or corners, which are rounded.
void draw_wire(ImDrawList* list, std::vector<ImVec2> points, bool curved, float zoom, ImU32 colour);

}  // namespace draw
