// Which cells of a stage are not what they should be.
#pragma once

#include "stage/scene/stage.hpp"

namespace stage {

/// Compares every block with what `right` has in its place and marks the cells that differ; each
/// group's note then says how many those are.
void mark_wrong(Stage& stage, const document::Computed& right,
                const document::ViewState& view_state);

/// True where two numbers are not the same but for rounding.
bool differ(float a, float b);

}  // namespace stage
