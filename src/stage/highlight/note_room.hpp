// The room that a caption has beside others.
#pragma once

#include "stage/scene/stage.hpp"

namespace stage {

/// Where a note behind the shape of a group must end, on the plane: before the next caption or
/// figure on its right, or at the edge of the stage.
float note_limit(const Stage& stage, const Group& group);

}  // namespace stage
