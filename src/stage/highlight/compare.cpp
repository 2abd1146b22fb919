#include "stage/highlight/compare.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace stage {

namespace {

void subtract(Block& block, const Block& original) {
  tensor::Tensor result(block.matrix.shape());
  for (std::size_t row = 0; row < block.rows(); ++row) {
    for (std::size_t column = 0; column < block.columns(); ++column) {
      const float a = block.value(row, column);
      const float b = original.value(row, column);
      // Subtracting equal infinities or NaNs would give NaN, but there is no difference.
      const bool same = a == b || (std::isnan(a) && std::isnan(b));
      result.mutable_data()[row * block.columns() + column] = same ? 0.0F : a - b;
    }
  }
  block.matrix = result;
  block.is_difference = true;
  block.colouring = Colouring::diverging;
}

}  // namespace

std::string minus_original(std::string_view name) {
  return base::text("stage.caption.difference", {{"name", name}});
}

void subtract(Stage& stage, const Stage& original) {
  for (Group& group : stage.groups) {
    if (group.in_figure) continue;
    const auto begin = stage.blocks.begin() + static_cast<std::ptrdiff_t>(group.first_block);
    const auto end = begin + static_cast<std::ptrdiff_t>(group.block_count);
    float range = 0.0F;
    bool any = false;
    for (auto block = begin; block != end; ++block) {
      const auto other = std::find_if(original.blocks.begin(), original.blocks.end(),
                                      [&](const Block& each) { return same_cells(each, *block); });
      if (!block->run && other != original.blocks.end()) subtract(*block, *other);
      if (!block->is_difference) continue;
      any = true;
      for (const float value : block->matrix.values()) {
        if (value >= -std::numeric_limits<float>::max() && value <= -range) range = -value;
        if (value <= std::numeric_limits<float>::max() && value >= range) range = value;
      }
    }
    if (!any) continue;
    for (auto block = begin; block != end; ++block) {
      if (block->is_difference) block->range = range > 0.0F ? range : 1.0F;
    }
    group.title = minus_original(group.title);
  }
  // Pieces on their way to a difference must show differences, too.
  for (Tween& tween : stage.tweens) {
    if (tween.into >= stage.blocks.size() || !stage.blocks[tween.into].is_difference) continue;
    const auto same =
        std::find_if(original.tweens.begin(), original.tweens.end(), [&tween](const Tween& other) {
          return other.into == tween.into && other.piece.tensor == tween.piece.tensor &&
                 other.piece.corner == tween.piece.corner && other.piece.head == tween.piece.head;
        });
    if (same == original.tweens.end()) continue;
    subtract(tween.piece, same->piece);
    tween.piece.range = stage.blocks[tween.into].range;
  }
}

}  // namespace stage
