// Which picture explains a step beside its matrices, and how much room it gets.
#pragma once

#include <optional>
#include <string_view>

#include "stage/layout/layout.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// What a figure is made from.
struct FigureInput {
  const document::Computed& computed;
  const document::ComputedAttention& attention;
  const document::ViewState& view_state;
};

/// Where a figure stands.
enum class Dock : unsigned char {
  right,    ///< beside the matrices
  below,    ///< under them
  alone,    ///< in their place
  instead,  ///< in their place, when the reader asks for it
};

/// A figure of one step.
struct FigurePlan {
  std::string_view name;       ///< "memory ribbon": in the switch between matrices and figure
  Dock dock = Dock::right;     ///< where there is room for both
  float share = 0.45F;         ///< of the width (right) or the height (below)
  float least_width = 240.0F;  ///< smaller than this it is not drawn beside anything
  float least_height = 120.0F;
  float most_height = 1e6F;
  float most_width = 1e6F;
  bool first = false;  ///< where there is room for one of the two, it is the figure
  /// Another view of the step, in the place of the plain matrices; and what it is called.
  void (*other)(Stage& stage, const FigureInput& input, const Rect& place) = nullptr;
  std::string_view other_name = "matrices";
  /// Adds blocks, groups and a Figure to the stage, all inside `place`.
  void (*put)(Stage& stage, const FigureInput& input, const Rect& place) = nullptr;
};

/// The figure of the view state's step for this attention, or nothing where there is none.
std::optional<FigurePlan> figure_for(const FigureInput& input);

/// What is shown of a step in a space.
struct Division {
  std::optional<Space> matrices;  ///< room for the flow; nothing: the figure stands alone
  std::optional<Rect> figure;     ///< relative to the space's corner; nothing: matrices only
  bool either = false;            ///< there is no room for both: the reader can switch
};
Division divide(const std::optional<FigurePlan>& plan, document::Show show, Space space);

}  // namespace stage
