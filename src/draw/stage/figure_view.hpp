// Draws the stage's figures: words, lines, bars and patches in the colours and type of their tones.
#pragma once

#include <vector>

#include "draw/stage/paint.hpp"

namespace draw {

/// The opacity of the plate behind some words: enough for them to be readable on any colour.
inline constexpr float plate_opacity = 0.85F;

/// Draws every figure of the stage, without its words on plates, and adds its words to `texts`.
void draw_figures(const stage::Stage& stage, const stage::Camera& camera,
                  const stage::Rect& viewport, const Theme& theme, const Type& type,
                  ImDrawList* list, std::vector<DrawnText>& texts);

/// Draws the words on plates. They come last: nothing that moves hides them.
void draw_plates(const stage::Stage& stage, const stage::Camera& camera,
                 const stage::Rect& viewport, const Theme& theme, const Type& type,
                 ImDrawList* list, std::vector<DrawnText>& texts);

}  // namespace draw
