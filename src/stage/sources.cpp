#include "stage/sources.hpp"

#include <algorithm>

namespace stage {

Rect bounds_of(const Stage& stage, const CellRange& range) {
  const Block& block = stage.blocks[range.block];
  return block.cell(range.first_row, range.first_column).united(block.cell(range.last_row, range.last_column));
}

std::vector<CellRange> sources_on(const Stage& stage, const attention::Provenance& provenance) {
  std::vector<CellRange> ranges;
  const auto add = [&](const attention::Cell& cell) {
    const auto hit = find_cell(stage, cell.tensor, cell.index);
    if (!hit) return;
    const auto range = std::find_if(ranges.begin(), ranges.end(),
                                    [&](const CellRange& other) { return other.block == hit->block; });
    if (range == ranges.end()) {
      ranges.push_back({hit->block, hit->row, hit->column, hit->row, hit->column});
      return;
    }
    range->first_row = std::min(range->first_row, hit->row);
    range->first_column = std::min(range->first_column, hit->column);
    range->last_row = std::max(range->last_row, hit->row);
    range->last_column = std::max(range->last_column, hit->column);
  };
  for (const attention::Term& term : provenance.terms) {
    add(term.a);
    if (term.has_b) add(term.b);
  }
  if (provenance.has_bias) add(provenance.bias);
  return ranges;
}

}  // namespace stage
