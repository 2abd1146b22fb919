#include "stage/layout/matrices/batch_stack.hpp"

#include <algorithm>

#include "stage/scene/matrices.hpp"

namespace stage {

std::size_t sheet_count(const document::ComputedAttention& attention, model::TensorId tensor,
                        const document::ViewState& view_state) {
  if (!view_state.all_samples || !model::axes_of(tensor).has(model::Axis::B)) return 0;
  return std::min(most_sheets, attention.trace.config.batch - 1);
}

void lay_sheets(Stage& stage, const document::ComputedAttention& attention,
                const document::ViewState& view_state) {
  for (std::size_t depth = most_sheets; depth >= 1; --depth) {
    for (const Group& group : stage.groups) {
      if (group.in_figure || group.folded ||
          sheet_count(attention, group.tensor, view_state) < depth)
        continue;
      document::ViewState other = view_state;
      other.sample = (view_state.sample + depth) % attention.trace.config.batch;
      const std::vector<Block> matrices = matrices_of(attention, group.tensor, other);
      for (std::size_t i = 0; i < std::min(group.block_count, matrices.size()); ++i) {
        stage.sheets.push_back({group.first_block + i, depth, other.sample, matrices[i].matrix});
      }
    }
  }
}

Rect place_of(const Stage& stage, const Sheet& sheet) {
  const float by = sheet_step * static_cast<float>(sheet.depth);
  return stage.blocks[sheet.over].cells.moved(by, by);
}

std::optional<std::size_t> sheet_at(const Stage& stage, Point plane) {
  for (const Block& block : stage.blocks) {
    if (block.cells.contains(plane)) return std::nullopt;
  }
  // Later sheets lie on top, so the search starts at the end.
  for (auto sheet = stage.sheets.rbegin(); sheet != stage.sheets.rend(); ++sheet) {
    if (place_of(stage, *sheet).contains(plane)) return sheet->sample;
  }
  return std::nullopt;
}

}  // namespace stage
