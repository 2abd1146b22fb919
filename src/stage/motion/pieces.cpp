#include "stage/motion/pieces.hpp"

#include <algorithm>

namespace stage {

/// Some columns of one row of a block as a block of its own.
Block cut(const Block& block, std::size_t row, std::size_t column, std::size_t columns) {
  Block piece = block;
  piece.matrix = block.matrix.narrow(0, row, 1).narrow(1, column, columns);
  piece.corner = block.index_of(row, column);
  const Rect first = block.cell(row, column);
  piece.cells = {first.x, first.y, first.width * static_cast<float>(columns), first.height};
  piece.wrong.clear();
  piece.changed.clear();
  piece.row_labels.clear();
  piece.column_labels.clear();
  piece.rows_are_queries = false;
  piece.show_row_labels = false;
  piece.row_heads.clear();
  piece.tag = {};
  piece.columns_per_head = 0;
  piece.rows_per_head = 0;
  piece.piece = true;
  return piece;
}

std::vector<WayBack> ways_back(const Stage& stage) {
  std::vector<WayBack> ways;
  for (const Tween& tween : stage.tweens) {
    const std::size_t columns = tween.piece.columns();
    const float width = tween.from.width / static_cast<float>(columns);
    const Rect first{tween.from.x, tween.from.y, width, tween.from.height};
    const auto source = cell_at(stage, first.centre());
    if (!source || source->block == tween.into) continue;
    WayBack way;
    way.to = *source;
    way.columns = columns;
    way.from = tween.piece.cells;
    way.head = tween.piece.head;
    way.sharing = tween.piece.sharing;
    way.leaves = tween.leaves;
    way.begin = 1.0F - tween.end;
    way.end = 1.0F - tween.begin;
    ways.push_back(way);
  }
  std::reverse(ways.begin(), ways.end());
  return ways;
}

void travel_back(Stage& stage, const std::vector<WayBack>& ways) {
  for (const WayBack& way : ways) {
    const Block& block = stage.blocks[way.to.block];
    Tween tween{cut(block, way.to.row, way.to.column, way.columns), way.from, way.to.block};
    tween.piece.head = way.head;
    tween.piece.sharing = way.sharing;
    tween.leaves = way.leaves;
    tween.begin = way.begin;
    tween.end = way.end;
    stage.tweens.push_back(std::move(tween));
  }
}

}  // namespace stage
