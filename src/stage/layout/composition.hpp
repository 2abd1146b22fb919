// One screen of the lesson: the step's matrices, the figure that explains them, and what moves.
#pragma once

#include "stage/figures/figures.hpp"

namespace stage {

struct Composition {
  Stage stage;
  std::string_view title;     ///< of the step, true for what of it is shown
  std::string_view figure;    ///< its name, even while it is hidden; empty: there is none
  std::string_view other;     ///< the name of what the figure can be switched to
  bool shows_figure = false;  ///< the figure is visible, not only what can replace it
  bool either = false;        ///< both do not fit, so the reader can switch between them
};

/// Composes everything that the view state's step shows in a space of this size. `right`: the
/// results without the mistake that is switched on, so that spoiled cells can be marked; null marks
/// nothing.
Composition compose(const document::Computed& computed, const document::ViewState& view_state,
                    Space space, const document::Computed* right = nullptr);

}  // namespace stage
