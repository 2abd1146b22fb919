#include "stage/highlight/mistake_diff.hpp"

#include <cmath>

#include "base/text.hpp"

namespace stage {

using tensor::Index;
using tensor::Tensor;

bool differ(float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) != std::isnan(b);
  if (std::isinf(a) || std::isinf(b)) return a != b;
  return std::fabs(a - b) > 1e-5F * (1.0F + std::fabs(b));
}

void mark_wrong(Stage& stage, const document::Computed& right,
                const document::ViewState& view_state) {
  std::vector<std::size_t> wrong(stage.groups.size(), 0);
  std::vector<std::size_t> all(stage.groups.size(), 0);
  for (Block& block : stage.blocks) {
    const model::Trace& trace = right.find(block.attention).trace;
    const Tensor tensor = trace.at_query(block.tensor, view_state.query);
    if (!tensor.defined() || block.partial) continue;
    block.wrong.assign(block.rows() * block.columns(), false);
    for (std::size_t row = 0; row < block.rows(); ++row) {
      for (std::size_t column = 0; column < block.columns(); ++column) {
        Index index = block.index_of(row, column);
        if (trace.is_on_demand(block.tensor))
          index[trace.axes_of(block.tensor).place_of(model::Axis::Lq)] = 0;  // its only query
        const bool differs = differ(block.value(row, column), tensor.at(index));
        block.wrong[row * block.columns() + column] = differs;
        wrong[block.group] += differs ? 1 : 0;
      }
    }
    all[block.group] += block.wrong.size();
  }
  for (std::size_t i = 0; i < stage.groups.size(); ++i) {
    if (wrong[i] == 0) continue;
    stage.groups[i].note =
        base::text("stage.caption.wrong", {{"wrong", wrong[i]}, {"all", all[i]}});
    stage.groups[i].wrong = true;
    if (!stage.groups[i].folded) continue;
    for (Figure& card : stage.figures) {
      if (!card.bounds.contains(stage.groups[i].bounds.centre())) continue;
      for (Stroke& stroke : card.strokes) stroke.tone = Tone::wrong;
    }
  }
}

}  // namespace stage
