// Which part of the plane is visible, and at which magnification.
#pragma once

#include "stage/layout/geometry.hpp"

namespace stage {

/// screen = (plane − centre)·zoom + middle of the viewport.
struct Camera {
  Point centre;
  float zoom = 1.0F;

  Point to_screen(Point plane, const Rect& viewport) const;
  Rect to_screen(const Rect& plane, const Rect& viewport) const;
  Point to_plane(Point screen, const Rect& viewport) const;

  /// A camera that shows all of `bounds` with `margin` logical pixels around it, magnified at most
  /// `max_zoom` times.
  static Camera framing(const Rect& bounds, const Rect& viewport, float margin, float max_zoom);
  /// Zooms by `factor` (within the limits) and keeps the point under `screen` where it is.
  Camera zoomed_at(Point screen, float factor, const Rect& viewport, float min_zoom,
                   float max_zoom) const;
  Camera panned(float dx, float dy) const {
    return {{centre.x - dx / zoom, centre.y - dy / zoom}, zoom};
  }
  friend bool operator==(const Camera&, const Camera&) = default;
};

}  // namespace stage
