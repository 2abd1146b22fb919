// The line that says where the reader of the translator is, and leads back up.
#pragma once

#include <vector>

#include "draw/view.hpp"
#include "stage/wording/breadcrumb.hpp"

namespace draw {

/// Draws the levels side by side in `place`, shortened where they do not fit; one that is pressed
/// is asked for.
void draw_breadcrumb(const Screen& screen, const std::vector<stage::Crumb>& path,
                     const stage::Rect& place, float size, Requests& requests);

}  // namespace draw
