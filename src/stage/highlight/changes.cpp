#include "stage/highlight/changes.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "attention/differing_rows.hpp"
#include "attention/scan.hpp"

namespace stage {

namespace {

/// One row of a block where its numbers lie, one every `step` floats. `Block::value` for each of a
/// hundred thousand cells would show in the frame of an edit.
struct Row {
  const float* first = nullptr;
  std::size_t step = 1;

  std::uint32_t bits(std::size_t column) const {
    std::uint32_t bits = 0;
    std::memcpy(&bits, first + column * step, sizeof bits);
    return bits;
  }
};

/// The first column from `column` on where the rows differ; `columns` if there is none.
std::size_t next_change(const Row& a, const Row& b, std::size_t column, std::size_t columns) {
  if (a.step == 1 && b.step == 1) {
    return column +
           attention::first_difference(a.first + column, b.first + column, columns - column);
  }
  while (column < columns && a.bits(column) == b.bits(column)) ++column;
  return column;
}

/// The first column from `column` on where they are the same; `columns` if there is none.
std::size_t next_same(const Row& a, const Row& b, std::size_t column, std::size_t columns) {
  if (a.step == 1 && b.step == 1) {
    return column +
           attention::first_agreement(a.first + column, b.first + column, columns - column);
  }
  while (column < columns && a.bits(column) != b.bits(column)) ++column;
  return column;
}

Row row_of(const Block& block, std::size_t row) {
  const attention::Tensor& matrix = block.matrix;
  return {matrix.data() + row * matrix.strides()[0], matrix.strides()[1]};
}

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

/// The range with what changed in this row below it: where that lies within the range's columns, it
/// need not be looked through.
void widen(CellRange& range, const Row& was, const Row& is, std::size_t row, std::size_t columns) {
  const std::size_t first = next_change(was, is, 0, columns);
  if (first == columns) return;
  range.last_row = row;
  range.first_column = std::min(range.first_column, first);
  range.last_column = std::max(range.last_column, first);
  for (std::size_t column = next_change(was, is, range.last_column + 1, columns); column < columns;
       column = next_change(was, is, column + 1, columns)) {
    range.last_column = column;
  }
}

std::vector<CellRange> changes_of(const Block& before, const Block& after, std::size_t number,
                                  std::size_t most) {
  std::vector<CellRange> ranges;
  // What was not computed anew kept its storage.
  if (before.matrix.storage_version() == after.matrix.storage_version()) return ranges;
  bool too_many = false;
  const std::size_t rows = after.rows();
  const std::size_t columns = after.columns();
  const auto may = attention::rows_that_may_differ(before.matrix, after.matrix);
  for (std::size_t row = 0; row < rows; ++row) {
    if (may && !(*may)[row]) continue;
    const Row was = row_of(before, row);
    const Row is = row_of(after, row);
    std::size_t end = 0;
    while (!too_many) {
      const std::size_t first = next_change(was, is, end, columns);
      if (first == columns) break;
      end = next_same(was, is, first, columns);
      add_run(ranges, {number, row, first, row, end - 1});
      too_many = ranges.size() > most;
    }
    if (!too_many) continue;
    for (const CellRange& range : ranges) ranges.front() = around(ranges.front(), range);
    ranges.resize(1);
    widen(ranges.front(), was, is, row, columns);
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
