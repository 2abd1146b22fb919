#include "stage/highlight/changes.hpp"

#include <algorithm>
#include <cstring>

namespace stage {

namespace {

/// The first number of a row. Calling Block::value for each of a hundred thousand cells would make
/// the frame after an edit noticeably slow.
const float* row_of(const Block& block, std::size_t row) {
  return block.matrix.data() + row * block.matrix.strides()[0];
}

/// Merges the runs of this row, which begin at index `first`, into equally wide ranges right above.
void join(std::vector<CellRange>& ranges, std::size_t first) {
  const auto above = ranges.begin() + static_cast<std::ptrdiff_t>(first);
  const auto joined = [&](const CellRange& run) {
    const auto range = std::find_if(ranges.begin(), above, [&](const CellRange& each) {
      return each.last_row + 1 == run.first_row && each.first_column == run.first_column &&
             each.last_column == run.last_column;
    });
    if (range == above) return false;
    range->last_row = run.first_row;
    return true;
  };
  ranges.erase(std::remove_if(above, ranges.end(), joined), ranges.end());
}

std::vector<CellRange> changes_of(const Block& before, const Block& after, std::size_t number,
                                  std::size_t most) {
  std::vector<CellRange> ranges;
  // What was not computed again kept its storage.
  if (before.matrix.storage_id() == after.matrix.storage_id()) return ranges;
  CellRange around{number, after.rows(), after.columns(), 0, 0};
  for (std::size_t row = 0; row < after.rows(); ++row) {
    const float* was = row_of(before, row);
    const float* is = row_of(after, row);
    const std::size_t first_run = ranges.size();
    for (std::size_t column = 0; column < after.columns(); ++column) {
      const float* old_cell = was + column * before.matrix.strides()[1];
      const float* new_cell = is + column * after.matrix.strides()[1];
      if (std::memcmp(old_cell, new_cell, sizeof(float)) == 0) continue;
      around = {number, std::min(around.first_row, row), std::min(around.first_column, column), row,
                std::max(around.last_column, column)};
      if (ranges.size() > first_run && ranges.back().last_column + 1 == column)
        ranges.back().last_column = column;
      else if (first_run <= most)
        ranges.push_back({number, row, column, row, column});
    }
    if (first_run <= most) join(ranges, first_run);
  }
  if (ranges.size() > most) return {around};
  return ranges;
}

}  // namespace

std::vector<CellRange> changed_cells(const Stage& before, const Stage& after, std::size_t most) {
  std::vector<CellRange> ranges;
  for (std::size_t i = 0; i < after.blocks.size() && i < before.blocks.size(); ++i) {
    if (!same_cells(before.blocks[i], after.blocks[i])) continue;
    const auto changes = changes_of(before.blocks[i], after.blocks[i], i, most);
    ranges.insert(ranges.end(), changes.begin(), changes.end());
  }
  return ranges;
}

}  // namespace stage
