// The stage on screen: cells by the graphics card, captions, labels and numbers in type, what is
// chosen outlined.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "draw/gl/cells.hpp"
#include "draw/text/type.hpp"
#include "stage/highlight/sources.hpp"
#include "stage/layout/camera.hpp"
#include "stage/scene/stage.hpp"

namespace draw {

/// What is to be seen. Everything is given: the view remembers nothing that would show.
struct Scene {
  const stage::Stage* stage = nullptr;   ///< as it is at the view state's progress
  const stage::Stage* before = nullptr;  ///< where blocks come from while they travel, or null
  float travel = 1.0F;                   ///< 0 … 1 on the way from `before`
  stage::Camera camera;
  stage::Rect viewport;  ///< the plane is seen through this, logical pixels
  const model::Trace* trace = nullptr;
  tensor::Tensor legend;  ///< drawn beside the stage: its numbers are sent along; undefined: none
  std::size_t query = 0;
  std::size_t sample = 0;
  std::optional<stage::Hit> focus;        ///< what everything is about
  std::optional<stage::Hit> chosen;       ///< where that is another one
  std::vector<stage::Hit> same_float;     ///< where else the focus' float is read
  std::vector<stage::Hit> edited;         ///< cells that hold a number the reader typed
  std::vector<stage::CellRange> sources;  ///< what the focus was made of
};

/// A piece of text on the stage, where it was set.
struct DrawnText {
  stage::Rect place;
  std::string text;
  std::string kind;  ///< "caption", "row label", "column label", "number", "figure"
  std::optional<stage::Hit> cell;
  std::optional<document::CellRef> ref;  ///< in a figure: whose number it is
};

/// What the last frame showed: for tests and for the API's probe.
struct Drawn {
  stage::Stage stage;  ///< as drawn, half-way places included
  stage::Camera camera;
  stage::Rect viewport;
  std::vector<CellsInstance> instances;  ///< one a block, in the stage's order
  std::vector<CellsInstance> sheets;     ///< what lies under the blocks, deepest first
  std::vector<DrawnText> texts;
  std::optional<std::size_t> legend;  ///< the block whose colour scale is shown
};

class StageView {
 public:
  explicit StageView(CellsRenderer& cells) : cells_(cells) {}
  /// Draws the pieces that are under way, over everything at rest: called while ImGui's draw lists
  /// are drawn.
  std::function<void()> draw_pieces;
  /// Hands cells to the graphics card and text to `list`. Returns what was drawn.
  Drawn draw(const Scene& scene, const Theme& theme, const Type& type, ImDrawList* list);

 private:
  /// How the graphics card gets the cells of the blocks and of the sheets under them.
  void put_cells(const Scene& scene, const Theme& theme, Drawn& drawn) const;

  CellsRenderer& cells_;
};

}  // namespace draw
