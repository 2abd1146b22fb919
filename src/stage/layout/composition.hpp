// One screen of the lesson: the step's matrices, the figure that explains them, and what moves.
#pragma once

#include "stage/figures/figures.hpp"

namespace stage {

struct Composition {
  Stage stage;
  std::string_view figure;              ///< its name where there is one, seen or not
  std::string_view other = "matrices";  ///< what is seen in its place
  bool shows_figure = false;            ///< the figure is seen, not what can be in its place
  bool either = false;                  ///< there is no room for both: the reader can switch
};

/// Everything that the view state's step shows in a space of this size. `right`: what would have
/// been computed without a mistake, to mark what it spoiled; null where nothing is to be marked.
Composition compose(const document::Computed& computed, const document::ViewState& view_state,
                    Space space, const document::Computed* right = nullptr);

}  // namespace stage
