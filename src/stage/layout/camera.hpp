// Which part of the plane is seen, and how large.
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

  /// The camera that shows `bounds` whole, with `margin` logical pixels around, but not larger than
  /// `max_zoom`.
  static Camera framing(const Rect& bounds, const Rect& viewport, float margin, float max_zoom);
  /// Zooms by `factor` so that what lies under `screen` stays there.
  Camera zoomed_at(Point screen, float factor, const Rect& viewport, float min_zoom,
                   float max_zoom) const;
  Camera panned(float dx, float dy) const {
    return {{centre.x - dx / zoom, centre.y - dy / zoom}, zoom};
  }

  /// Between two cameras, t in 0…1, eased; zoom changes evenly to the eye (geometrically).
  static Camera between(const Camera& from, const Camera& to, float t);
  friend bool operator==(const Camera&, const Camera&) = default;
};

}  // namespace stage
