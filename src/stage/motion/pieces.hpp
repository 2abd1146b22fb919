// Cells that travel, and the way back that their gradients take.
#pragma once

#include <optional>
#include <vector>

#include "stage/scene/stage.hpp"

namespace stage {

/// Some columns of one row of a block as a block of its own.
Block cut(const Block& block, std::size_t row, std::size_t column, std::size_t columns);

/// The cells of one block that a piece of another comes from.
struct WayBack {
  Hit to;                           ///< the first of the cells that the piece came from
  std::size_t columns = 1;          ///< how many
  Rect from;                        ///< where the piece arrived
  std::optional<std::size_t> head;  ///< whose hue it has, as Block
  std::size_t sharing = 1;
  bool leaves = false;  ///< as Tween
  float begin = 0.0F;   ///< of the way back
  float end = 1.0F;
};

/// The ways back of a stage's tweens, of those that come from cells on it: the last one to arrive
/// is the first one to leave.
std::vector<WayBack> ways_back(const Stage& stage);

/// Lets the cells that `ways` lead to arrive from where they went: gradients, once the stage shows
/// them. `stage` has the blocks that it had when `ways` were found.
void travel_back(Stage& stage, const std::vector<WayBack>& ways);

}  // namespace stage
