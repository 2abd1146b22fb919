// Where the thin lines between groups run, so that they cross no matrix on their way.
#pragma once

#include <vector>

#include "stage/scene/stage.hpp"

namespace stage {

/// One link's line on the plane.
struct Route {
  /// `points` are the four of a cubic Bézier curve; else the corners of a line, to be rounded.
  bool curved = false;
  std::vector<Point> points;
  std::size_t from = 0;  ///< group
  std::size_t to = 0;    ///< group
  float opacity = 1.0F;
};

/// The bounds of a group's cells, without caption and labels.
Rect cells_of(const Stage& stage, const Group& group);

/// A line for every link of the stage. Neighbours get a curve; where other matrices stand in the
/// way, the line goes around them in the gaps that the layout leaves.
std::vector<Route> routes_of(const Stage& stage);

}  // namespace stage
