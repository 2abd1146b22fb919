// A thin line with an arrowhead, from a matrix to one that is made from it.
#pragma once

#include <vector>

#include "imgui.h"

namespace draw {

/// `points` in logical pixels: the four of a cubic Bézier curve, or corners, which are rounded. The
/// last is the tip.
void draw_wire(ImDrawList* list, std::vector<ImVec2> points, bool curved, float zoom, ImU32 colour);

}  // namespace draw
