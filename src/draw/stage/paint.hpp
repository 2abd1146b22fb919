// Draws the stage but for its cells: text, outlines and figures, with ImGui.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "draw/gl/cells.hpp"
#include "draw/text/type.hpp"
#include "stage/highlight/sources.hpp"
#include "stage/layout/camera.hpp"
#include "stage/scene/stage.hpp"

namespace draw {

/// Everything that a frame shows. The view itself keeps no state that would be visible.
struct Scene {
  const stage::Stage* stage = nullptr;   ///< at the view state's progress
  const stage::Stage* before = nullptr;  ///< where travelling blocks come from; null: at rest
  float travel = 1.0F;                   ///< how far they have come, 0 … 1
  stage::Camera camera;
  stage::Rect viewport;  ///< the window onto the plane, in logical pixels
  const model::Trace* trace = nullptr;
  /// The colour scale, which the caller draws; its numbers are sent with the others. May be
  /// undefined.
  tensor::Tensor legend;
  std::size_t query = 0;
  std::size_t sample = 0;
  std::optional<stage::Hit> focus;        ///< the cell that the screen is about
  std::optional<stage::Hit> chosen;       ///< set if it is another cell
  std::vector<stage::Hit> same_float;     ///< other cells that read the focused float
  std::vector<stage::Hit> edited;         ///< cells with a number that the reader typed
  std::vector<stage::Hit> targets;        ///< cells with a target
  std::vector<stage::CellRange> sources;  ///< what the focused number was computed from
};

/// A piece of text on the stage and its place on the screen.
struct DrawnText {
  stage::Rect place;
  std::string text;
  std::string kind;  ///< "caption", "row label", "index", "column label", "number", …
  std::optional<stage::Hit> cell;
  std::optional<document::CellRef> ref;  ///< the cell of a number in a figure
  // How it is set.
  ImFont* font = nullptr;
  float size = 0.0F;
  ImU32 colour = 0;
  bool upright = false;  ///< it runs upwards
};

/// What the last frame showed, for tests and for the API's probe.
struct Drawn {
  stage::Stage stage;  ///< as drawn, with places on the way
  stage::Camera camera;
  stage::Rect viewport;
  std::vector<CellsInstance> instances;  ///< one for each block, in the stage's order
  std::vector<CellsInstance> sheets;     ///< the sheets below the blocks, deepest first
  std::vector<DrawnText> texts;
  std::optional<std::size_t> legend;       ///< the block that the legend belongs to
  std::optional<stage::Rect> small_scale;  ///< the place of the scale beside that block
};

/// The opacity of a block: a new one appears in the second half of the way.
float appearing(const stage::Block& block, const Scene& scene);

/// Sheets are fainter than the block above them.
inline constexpr float sheet_below = 0.6F;

/// Draws everything but the cells into `list`: text, outlines, figures. Where the cells of
/// travelling pieces belong, over all that is at rest, it puts the callback `pieces` with its
/// `data`. Returns what was drawn, without instances.
Drawn paint(const Scene& scene, const Theme& theme, const Type& type, ImDrawList* list,
            ImDrawCallback pieces, void* data);

}  // namespace draw
