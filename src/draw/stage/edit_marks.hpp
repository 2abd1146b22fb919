// Marks over the stage that belong to editing: what just changed and what can be dragged.
#pragma once

#include <span>

#include "draw/text/type.hpp"
#include "draw/theme.hpp"
#include "stage/highlight/sources.hpp"
#include "stage/layout/camera.hpp"
#include "stage/scene/stage.hpp"

namespace draw {

/// The stage and how it is viewed.
struct Seen {
  const stage::Stage& stage;
  const stage::Camera& camera;
  const stage::Rect& viewport;
  const Theme& theme;
};

/// Lights up cells that changed. `t` goes from 0, at the change, to 1, when the light is gone.
void flash(const Seen& seen, std::span<const stage::CellRange> changed, float t, ImDrawList* list);

/// An empty corner on a number that edits of other cells changed.
void changed_mark(const stage::Rect& cell, const Theme& theme, ImDrawList* list);

/// A turned-down corner, on a number that the reader typed. `cell`: its place on the screen.
void edited_mark(const stage::Rect& cell, const Theme& theme, ImDrawList* list);
/// A ring with a dot, on a number that should be another one.
void target_mark(const stage::Rect& cell, const Theme& theme, ImDrawList* list);

/// Small arrowheads on both sides of a number that can be dragged sideways.
void drag_handles(const Seen& seen, const stage::Hit& cell, ImDrawList* list);

}  // namespace draw
