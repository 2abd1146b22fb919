// Marks of editing over the stage: what just changed, and what can be dragged.
#pragma once

#include <span>

#include "draw/text/type.hpp"
#include "draw/theme.hpp"
#include "stage/highlight/sources.hpp"
#include "stage/layout/camera.hpp"
#include "stage/scene/stage.hpp"

namespace draw {

/// Where and how the stage is seen.
struct Seen {
  const stage::Stage& stage;
  const stage::Camera& camera;
  const stage::Rect& viewport;
  const Theme& theme;
};

/// Lights up cells that changed; `t` goes from 0, when they did, to 1, when nothing is left of it.
void flash(const Seen& seen, std::span<const stage::CellRange> changed, float t, ImDrawList* list);

/// Small tips left and right of a number that can be dragged sideways.
void drag_handles(const Seen& seen, const stage::Hit& cell, ImDrawList* list);

}  // namespace draw
