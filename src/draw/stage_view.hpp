// The stage on screen: cells by the graphics card, captions, labels and numbers in type, what is
// chosen outlined.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "draw/cells.hpp"
#include "draw/type.hpp"
#include "stage/camera.hpp"
#include "stage/sources.hpp"
#include "stage/stage.hpp"

namespace draw {

/// What is to be seen. Everything is given: the view has no memory of its own.
struct Scene {
  const stage::Stage* stage = nullptr;
  const stage::Stage* before = nullptr;  ///< where blocks come from while they travel, or null
  float travel = 1.0F;                   ///< 0 … 1 on the way from `before`
  stage::Camera camera;
  stage::Rect viewport;  ///< the plane is seen through this, logical pixels
  const attention::Trace* trace = nullptr;
  std::size_t query = 0;
  std::size_t sample = 0;
  std::size_t head = 0;
  std::optional<stage::Hit> pointed;  ///< under the pointer
  std::optional<stage::Hit> pinned;
  std::vector<stage::Hit> edited;         ///< cells that hold a number the reader typed
  std::vector<stage::CellRange> sources;  ///< of the pinned cell, or of the one under the pointer
};

/// A piece of text on the stage, where it was set.
struct DrawnText {
  stage::Rect place;
  std::string text;
  std::string kind;  ///< "caption", "row label", "column label", "number"
  std::optional<stage::Hit> cell;
};

/// What the last frame showed: for tests and for the API's probe.
struct Drawn {
  stage::Stage stage;  ///< as drawn, half-way places included
  stage::Camera camera;
  stage::Rect viewport;
  std::vector<CellsInstance> instances;  ///< one a block, in the stage's order
  std::vector<DrawnText> texts;
};

class StageView {
 public:
  explicit StageView(CellsRenderer& cells) : cells_(cells) {}
  /// Hands cells to the graphics card and text to `list`. Returns what was drawn.
  Drawn draw(const Scene& scene, const Theme& theme, const Type& type, ImDrawList* list);

 private:
  CellsRenderer& cells_;
};

}  // namespace draw
