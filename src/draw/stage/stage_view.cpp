#include "draw/stage/stage_view.hpp"

#include "stage/layout/matrices/batch_stack.hpp"

namespace draw {

using stage::Block;
using stage::Rect;

void StageView::put_cells(const Scene& scene, const Theme& theme, Drawn& drawn) const {
  std::vector<tensor::Tensor> matrices;
  matrices.reserve(drawn.stage.blocks.size() + drawn.stage.sheets.size());
  for (const Block& block : drawn.stage.blocks) matrices.push_back(block.matrix);
  for (const stage::Sheet& sheet : drawn.stage.sheets) matrices.push_back(sheet.matrix);
  if (scene.legend.defined()) matrices.push_back(scene.legend);
  cells_.hold(matrices);
  const auto on_screen = [&](const Rect& plane) {
    return scene.camera.to_screen(plane, scene.viewport);
  };
  for (const Block& block : drawn.stage.blocks) {
    drawn.instances.push_back(
        cells_.instance(block, on_screen(block.cells), appearing(block, scene)));
  }
  const Rgb edge = mixed(theme.page, theme.line, 0.55F);
  const auto paper = [&](const Rect& place, float opacity) {
    drawn.sheets.push_back(CellsRenderer::paper(place.inset(-1.0F), edge, opacity));
    drawn.sheets.push_back(CellsRenderer::paper(place, theme.page, opacity));
  };
  for (const stage::Sheet& sheet : drawn.stage.sheets) {
    Block block = drawn.stage.blocks[sheet.over];
    const float opacity = appearing(block, scene) * sheet.opacity;
    const Rect place = on_screen(stage::place_of(drawn.stage, sheet));
    paper(place, opacity * block.opacity);
    block.matrix = sheet.matrix;
    drawn.sheets.push_back(cells_.instance(block, place, opacity * sheet_below));
    // The last sheet below a block: the gaps between the block's own cells must not show it.
    if (sheet.depth == 1) paper(on_screen(block.cells), opacity * block.opacity);
  }
}

Drawn StageView::draw(const Scene& scene, const Theme& theme, const Type& type, ImDrawList* list) {
  const auto pieces = [](const ImDrawList*, const ImDrawCmd* command) {
    static_cast<StageView*>(command->UserCallbackData)->draw_pieces();
  };
  Drawn drawn = paint(scene, theme, type, list, pieces, this);
  put_cells(scene, theme, drawn);
  return drawn;
}

}  // namespace draw
