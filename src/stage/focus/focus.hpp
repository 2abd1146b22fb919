// The one cell that the whole screen is about: it is marked on the matrices and shown in the
// figure, and the equation and the inspector explain it.
#pragma once

#include <optional>

#include "document/computed.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// Why a cell has the focus.
enum class FocusBy : unsigned char {
  step,     ///< the step's own cell, as nobody asked for another
  chosen,   ///< clicked, or named by a link
  moving,   ///< reached by the animation
  pointed,  ///< under the pointer
};

struct Focus {
  document::CellRef cell;
  FocusBy by = FocusBy::step;
  /// While its sum is being added up: how many terms are in it. Empty: all of them.
  std::optional<std::size_t> added;

  friend bool operator==(const Focus&, const Focus&) = default;
};

/// What the reader is doing.
struct Attention {
  std::optional<document::CellRef> pointed;
  bool moves = false;  ///< the step is playing, or its progress is being dragged
};

/// The cell that the step's animation has reached at the view state's progress; empty where nothing
/// is moving. `whole`: the stage at the end of the step.
std::optional<Focus> moving_focus(const document::ComputedAttention& attention,
                                  const document::ViewState& view_state, const Stage& whole);

/// The first of these that exists: what is moving right now, what is pointed at, what an animation
/// was stopped at, what was chosen, and the step's own cell.
Focus focus_of(const document::ComputedAttention& attention, const document::ViewState& view_state,
               const Stage& whole, const Attention& reader);

/// The view state with the focus as its chosen cell; matrices and figures are made from it.
document::ViewState focused(const document::ViewState& view_state,
                            const document::ComputedAttention& attention, const Focus& focus);

/// Gives full opacity to the blocks with the focused cell and with the cells that it reads.
void keep_readable(Stage& stage, const model::Trace& trace, const Focus& focus);

}  // namespace stage
