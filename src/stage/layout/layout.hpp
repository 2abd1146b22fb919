// Places the matrices of one step, as large as the space allows.
#pragma once

#include "document/computed.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// The room for the stage, in logical pixels.
struct Space {
  float width = 0.0F;
  float height = 0.0F;
  bool numbered = false;  ///< there is room for the numbers of rows that have words beside them

  friend bool operator==(const Space&, const Space&) = default;
};

/// Lays out the tensors of the view state's step for the chosen attention, sample, query and heads.
///
/// Captions and labels keep their size, and the cells take the rest. The flow runs across or down,
/// whichever gives larger cells. The stage's bounds fit into `space` unless even the smallest cells
/// do not; the camera then shows them smaller.
Stage lay_out(const document::ComputedAttention& attention, const document::ViewState& view_state,
              Space space);

}  // namespace stage
