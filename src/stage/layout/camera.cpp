#include "stage/layout/camera.hpp"

#include <algorithm>

namespace stage {

Point Camera::to_screen(Point plane, const Rect& viewport) const {
  const Point middle = viewport.centre();
  return {(plane.x - centre.x) * zoom + middle.x, (plane.y - centre.y) * zoom + middle.y};
}

Rect Camera::to_screen(const Rect& plane, const Rect& viewport) const {
  const Point corner = to_screen(Point{plane.x, plane.y}, viewport);
  return {corner.x, corner.y, plane.width * zoom, plane.height * zoom};
}

Point Camera::to_plane(Point screen, const Rect& viewport) const {
  const Point middle = viewport.centre();
  return {(screen.x - middle.x) / zoom + centre.x, (screen.y - middle.y) / zoom + centre.y};
}

Camera Camera::framing(const Rect& bounds, const Rect& viewport, float margin, float max_zoom) {
  Camera camera;
  camera.centre = bounds.centre();
  const float width = std::max(1.0F, viewport.width - 2.0F * margin);
  const float height = std::max(1.0F, viewport.height - 2.0F * margin);
  const float fit =
      std::min(width / std::max(1.0F, bounds.width), height / std::max(1.0F, bounds.height));
  camera.zoom = std::min(fit, max_zoom);
  return camera;
}

Camera Camera::zoomed_at(Point screen, float factor, const Rect& viewport, float min_zoom,
                         float max_zoom) const {
  const Point fixed = to_plane(screen, viewport);
  Camera camera = *this;
  camera.zoom = std::clamp(zoom * factor, min_zoom, max_zoom);
  const Point middle = viewport.centre();
  camera.centre = {fixed.x - (screen.x - middle.x) / camera.zoom,
                   fixed.y - (screen.y - middle.y) / camera.zoom};
  return camera;
}

}  // namespace stage
