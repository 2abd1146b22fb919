// Which figure explains a step beside its matrices, and how much room it gets.
#pragma once

#include <optional>
#include <string_view>

#include "base/text.hpp"
#include "stage/layout/layout.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// Everything that a figure is made from.
struct FigureInput {
  const document::Computed& computed;
  const document::ComputedAttention& attention;
  const document::ViewState& view_state;
};

/// Where a figure stands in relation to the matrices.
enum class Dock : unsigned char {
  right,    ///< beside the matrices
  below,    ///< below them
  alone,    ///< in their place
  instead,  ///< in their place, but only if the reader asks for it, unless the plan says `first`
};

/// The figure of one step and its demands on the space.
struct FigurePlan {
  std::string_view name;        ///< its name in the switch between matrices and figure
  Dock dock = Dock::right;      ///< if there is room for both
  float share = 0.45F;          ///< of the width (right) or the height (below)
  float least_width = 240.0F;   ///< with less room, it is shown alone or not at all
  float least_height = 120.0F;  ///< with less room, only where the reader asks for it
  float least_beside = 300.0F;  ///< width of the matrices beside it; with less, only one is shown
  float most_height = 1e6F;
  float most_width = 1e6F;
  bool first = false;  ///< if only one fits, show the figure rather than the matrices
  /// Draws another view of the step in the place of the plain matrices; null: there is none.
  void (*other)(Stage& stage, const FigureInput& input, const Rect& place) = nullptr;
  std::string_view other_name = base::text("stage.view.matrices");
  /// The title of the screen where the figure stands in the place of the matrices; empty: as
  /// theirs.
  std::string_view title = {};
  /// Adds blocks, groups and a Figure to the stage, all inside `place`.
  void (*put)(Stage& stage, const FigureInput& input, const Rect& place) = nullptr;
};

/// The figure of the view state's step for this attention; empty if the step has none.
std::optional<FigurePlan> figure_for(const FigureInput& input);

/// How a step's space is divided between its matrices and its figure.
struct Division {
  std::optional<Space> matrices;  ///< room for the matrices; empty: only the figure
  std::optional<Rect> figure;     ///< within the space; empty: only the matrices
  bool either = false;            ///< both do not fit, so the reader can switch between them
};
Division divide(const std::optional<FigurePlan>& plan, document::Show show, Space space);

}  // namespace stage
