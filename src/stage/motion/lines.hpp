// Lines that are on the stage already: what another one would cross, or lie on.
#pragma once

#include <cstddef>
#include <vector>

#include "stage/motion/routes.hpp"

namespace stage {

/// A point of a cubic Bézier curve of four points, t in 0…1.
Point along(const std::vector<Point>& curve, float t);

/// A line as short straight pieces.
std::vector<Point> pieces_of(const Route& route);

/// Lines that are there, in short pieces.
struct Lines {
  struct Line {
    std::size_t to;
    std::vector<Point> pieces;
  };
  std::vector<Line> all;

  /// Whether a level piece at y would lie on one of them that leads elsewhere.
  bool is_along(float y, float from, float to, std::size_t target) const;
  /// How many of them a way crosses. Those that arrive where it does may meet it there.
  std::size_t crossed_by(const std::vector<Point>& way, std::size_t to) const;
};

}  // namespace stage
