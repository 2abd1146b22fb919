// Points and rectangles, in logical pixels (the screen) or stage units (the plane).
#pragma once

#include <algorithm>

namespace stage {

/// Smaller cells have no digits; logical pixels.
inline constexpr float least_numbered_width = 24.0F;
inline constexpr float least_numbered_height = 15.0F;

struct Point {
  float x = 0.0F;
  float y = 0.0F;
  friend bool operator==(const Point&, const Point&) = default;
};

struct Rect {
  float x = 0.0F;
  float y = 0.0F;
  float width = 0.0F;
  float height = 0.0F;

  float right() const { return x + width; }
  float bottom() const { return y + height; }
  Point centre() const { return {x + width / 2.0F, y + height / 2.0F}; }
  bool empty() const { return width <= 0.0F || height <= 0.0F; }
  bool contains(Point p) const { return p.x >= x && p.x < right() && p.y >= y && p.y < bottom(); }

  Rect inset(float by) const { return {x + by, y + by, width - 2.0F * by, height - 2.0F * by}; }
  Rect moved(float dx, float dy) const { return {x + dx, y + dy, width, height}; }

  /// The smallest rectangle around both; empty ones are ignored.
  Rect united(const Rect& other) const {
    if (empty()) return other;
    if (other.empty()) return *this;
    const float left = std::min(x, other.x);
    const float top = std::min(y, other.y);
    return {left, top, std::max(right(), other.right()) - left,
            std::max(bottom(), other.bottom()) - top};
  }
  /// The area that both cover; empty where they do not overlap.
  Rect intersected(const Rect& other) const {
    const float left = std::max(x, other.x);
    const float top = std::max(y, other.y);
    return {left, top, std::max(0.0F, std::min(right(), other.right()) - left),
            std::max(0.0F, std::min(bottom(), other.bottom()) - top)};
  }
  bool overlaps(const Rect& other) const { return !intersected(other).empty(); }

  friend bool operator==(const Rect&, const Rect&) = default;
};

/// Smoothstep: maps t in 0 … 1 to a movement that starts and ends at rest.
constexpr float eased(float t) { return t * t * (3.0F - 2.0F * t); }

/// Linear interpolation from `a` (t = 0) to `b` (t = 1).
constexpr float mixed(float a, float b, float t) { return a + (b - a) * t; }
constexpr Rect mixed(const Rect& a, const Rect& b, float t) {
  return {mixed(a.x, b.x, t), mixed(a.y, b.y, t), mixed(a.width, b.width, t),
          mixed(a.height, b.height, t)};
}

}  // namespace stage
