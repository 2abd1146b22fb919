// Where the matrices of a step stand: in columns side by side or below each other, broken into
// lines as text is.
#pragma once

#include <cstddef>
#include <vector>

#include "stage/layout/layout.hpp"
#include "stage/scene/drawing.hpp"

namespace stage {

/// What the layout has to fit, and where.
struct Task {
  std::vector<Outline> outlines;
  bool overview = false;
  Space space;
  bool upright = false;  ///< key labels stand upright over their columns
  bool once = false;     ///< of matrices in a line, only the first has its tokens beside its rows

  /// Whether the space is about as narrow as a phone.
  bool narrow() const { return space.width < 480.0F; }
  /// Whether notes such as "view of q" fit beside the shapes.
  bool notes() const { return space.width >= 700.0F; }
};

/// One matrix in its column.
struct Part {
  std::size_t drawing = 0;  // index of its drawing
  Measured size;
  float x = 0.0F;  // in its slot
  float y = 0.0F;
};

/// How the columns are arranged.
struct Arrangement {
  bool across = true;     ///< columns stand side by side; false: one below the other
  std::size_t lines = 1;  ///< lines that the flow breaks into, as text does
};

/// One matrix in its place.
struct Placed {
  Part part;
  float x = 0.0F;
  float y = 0.0F;
  std::size_t line = 0;
};

/// All matrices in their places, and the room that they take.
struct Plan {
  std::vector<Placed> parts;
  float width = 0.0F;
  float height = 0.0F;
};

/// An arrangement and the sizes that it is drawn in.
struct Fit {
  Arrangement arrangement;
  float scale = 0.0F;
  float stretch = 1.0F;
};

/// The places of all outlines of `task` in this arrangement, at these sizes; whether they fit into
/// its space or not.
Plan plan_at(const Fit& fit, const Task& task);

}  // namespace stage
