// The one cell that everything on the screen is about: what is marked on the matrices, what the
// figure shows, what the equation and the inspector explain.
#pragma once

#include <optional>

#include "document/computed.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// Why a cell has the focus.
enum class FocusBy : unsigned char {
  step,     ///< nobody asked for another: the step's own
  chosen,   ///< clicked, or named by a link
  moving,   ///< what the animation has come to
  pointed,  ///< under the pointer
};

struct Focus {
  document::CellRef cell;
  FocusBy by = FocusBy::step;
  /// While its sum is on its way: how many terms have been added. Nothing: all.
  std::optional<std::size_t> added;

  friend bool operator==(const Focus&, const Focus&) = default;
};

/// What the reader does.
struct Attention {
  std::optional<document::CellRef> pointed;
  bool moves = false;  ///< the step plays, or is dragged through
};

/// The cell that a step's animation has come to at the view state's progress; nothing where nothing
/// moves. `whole`: the step as it is when it has run.
std::optional<Focus> moving_focus(const document::ComputedAttention& attention,
                                  const document::ViewState& view_state, const Stage& whole);

/// While something moves, that; else what is pointed at, what a rested animation has come to, what
/// is chosen, what the step is about: the first of these that is there.
Focus focus_of(const document::ComputedAttention& attention, const document::ViewState& view_state,
               const Stage& whole, const Attention& reader);

/// The view state with the focus for its chosen cell: what matrices and figures are made from.
document::ViewState focused(const document::ViewState& view_state,
                            const document::ComputedAttention& attention, const Focus& focus);

/// Nothing that the focus is or reads is faded.
void keep_readable(Stage& stage, const model::Trace& trace, const Focus& focus);

}  // namespace stage
