// The figures of a stage on screen: words, lines, bars and patches, each in the colour and type of
// what it is for.
#pragma once

#include <vector>

#include "draw/stage/stage_view.hpp"

namespace draw {

/// How much of what lies under a plate it hides: enough for text on it to be read over any colour.
inline constexpr float plate_opacity = 0.85F;

/// Draws every figure of the stage; what was written is added to `texts`.
void draw_figures(const stage::Stage& stage, const stage::Camera& camera,
                  const stage::Rect& viewport, const Theme& theme, const Type& type,
                  ImDrawList* list, std::vector<DrawnText>& texts);

}  // namespace draw
