// Routes for the thin lines between groups, which should not cross any matrix on their way.
#pragma once

#include <vector>

#include "stage/scene/stage.hpp"

namespace stage {

/// The line of one link.
struct Route {
  /// True: `points` are the four control points of a cubic Bézier curve. False: the corners of a
  /// line, to be drawn rounded.
  bool curved = false;
  std::vector<Point> points;
  std::size_t from = 0;  ///< group
  std::size_t to = 0;    ///< group
  float opacity = 1.0F;
};

/// The bounds of a group's cells, without its caption and labels.
Rect cells_of(const Stage& stage, const Group& group);

/// One route for each link that needs a line. Neighbours get a curve; where other matrices stand in
/// between, the line goes around them through the gaps of the layout.
std::vector<Route> routes_of(const Stage& stage);

}  // namespace stage
