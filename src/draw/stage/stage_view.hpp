// Draws the stage on screen: the graphics card draws the cells, and ImGui the text and outlines.
#pragma once

#include <functional>

#include "draw/stage/paint.hpp"

namespace draw {

class StageView {
 public:
  explicit StageView(CellsRenderer& cells) : cells_(cells) {}
  /// To be set by the caller: draws the travelling pieces on top of everything at rest. It is
  /// called while ImGui's draw lists are being drawn.
  std::function<void()> draw_pieces;
  /// Hands cells to the graphics card and text to `list`. Returns what was drawn.
  Drawn draw(const Scene& scene, const Theme& theme, const Type& type, ImDrawList* list);
  /// Hands the cells of a painted scene to the graphics card: the instances of its blocks and of
  /// the sheets below them.
  void put_cells(const Scene& scene, const Theme& theme, Drawn& drawn) const;

 private:
  CellsRenderer& cells_;
};

}  // namespace draw
