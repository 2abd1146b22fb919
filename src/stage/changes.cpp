#include "stage/changes.hpp"

#include <algorithm>
#include <cstring>

namespace stage {

namespace {

bool same_bits(float a, float b) { return std::memcmp(&a, &b, sizeof a) == 0; }

/// The same piece of the same tensor.
bool same_block(const Block& a, const Block& b) {
  return a.attention == b.attention && a.tensor == b.tensor && a.head == b.head &&
         a.corner == b.corner && a.rows() == b.rows() && a.columns() == b.columns() &&
         a.piece == b.piece && a.run.has_value() == b.run.has_value() && a.run_start == b.run_start;
}

/// Adds a run of a row, or makes the range above longer by it.
void add_run(std::vector<CellRange>& ranges, const CellRange& run) {
  for (CellRange& range : ranges) {
    if (range.last_row + 1 == run.first_row && range.first_column == run.first_column &&
        range.last_column == run.last_column) {
      range.last_row = run.first_row;
      return;
    }
  }
  ranges.push_back(run);
}

CellRange around(const CellRange& a, const CellRange& b) {
  return {a.block, std::min(a.first_row, b.first_row), std::min(a.first_column, b.first_column),
          std::max(a.last_row, b.last_row), std::max(a.last_column, b.last_column)};
}

std::vector<CellRange> changes_of(const Block& before, const Block& after, std::size_t number,
                                  std::size_t most) {
  std::vector<CellRange> ranges;
  bool too_many = false;
  // What was not computed anew kept its storage.
  if (before.matrix.storage_version() == after.matrix.storage_version()) return ranges;
  for (std::size_t row = 0; row < after.rows(); ++row) {
    for (std::size_t column = 0; column < after.columns(); ++column) {
      if (same_bits(before.value(row, column), after.value(row, column))) continue;
      const std::size_t first = column;
      while (column + 1 < after.columns() &&
             !same_bits(before.value(row, column + 1), after.value(row, column + 1)))
        ++column;
      const CellRange run{number, row, first, row, column};
      if (too_many)
        ranges.front() = around(ranges.front(), run);
      else
        add_run(ranges, run);
      if (too_many || ranges.size() <= most) continue;
      too_many = true;
      for (const CellRange& range : ranges) ranges.front() = around(ranges.front(), range);
      ranges.resize(1);
    }
  }
  return ranges;
}

}  // namespace

std::vector<CellRange> changed_cells(const Stage& before, const Stage& after, std::size_t most) {
  std::vector<CellRange> ranges;
  for (std::size_t i = 0; i < after.blocks.size() && i < before.blocks.size(); ++i) {
    if (!same_block(before.blocks[i], after.blocks[i])) continue;
    const auto changes = changes_of(before.blocks[i], after.blocks[i], i, most);
    ranges.insert(ranges.end(), changes.begin(), changes.end());
  }
  return ranges;
}

}  // namespace stage
