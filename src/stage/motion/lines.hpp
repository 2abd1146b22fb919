// The lines that are on the stage already, which a new one should neither cross nor lie on.
#pragma once

#include <cstddef>
#include <vector>

#include "stage/motion/routes.hpp"

namespace stage {

/// The point at t in 0 … 1 of a cubic Bézier curve with these four control points.
Point along(const std::vector<Point>& curve, float t);

/// The corners of a route as short straight pieces approximate it.
std::vector<Point> pieces_of(const Route& route);

/// The lines that exist so far, as short straight pieces.
struct Lines {
  struct Line {
    std::size_t to;
    std::vector<Point> pieces;
  };
  std::vector<Line> all;

  /// Whether a horizontal piece at y would lie on a line that leads to another target.
  bool is_along(float y, float from, float to, std::size_t target) const;
  /// How many lines a path crosses. Lines to the same target are ignored: they may meet there.
  std::size_t crossed_by(const std::vector<Point>& way, std::size_t to) const;
};

}  // namespace stage
