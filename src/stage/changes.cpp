#include "stage/changes.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "attention/lanes.hpp"

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
    for (; column + 4 <= columns; column += 4) {
      const attention::FourBits of_a = attention::bits_of(attention::load_four(a.first + column));
      const attention::FourBits of_b = attention::bits_of(attention::load_four(b.first + column));
      const attention::FourBits both = of_a ^ of_b;
      if ((both[0] | both[1] | both[2] | both[3]) != 0) break;
    }
  }
  while (column < columns && a.bits(column) == b.bits(column)) ++column;
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

std::vector<CellRange> changes_of(const Block& before, const Block& after, std::size_t number,
                                  std::size_t most) {
  std::vector<CellRange> ranges;
  bool too_many = false;
  // What was not computed anew kept its storage.
  if (before.matrix.storage_version() == after.matrix.storage_version()) return ranges;
  const std::size_t rows = after.rows();
  const std::size_t columns = after.columns();
  for (std::size_t row = 0; row < rows; ++row) {
    const Row was = row_of(before, row);
    const Row is = row_of(after, row);
    std::size_t end = 0;
    for (std::size_t first = next_change(was, is, 0, columns); first < columns;
         first = next_change(was, is, end, columns)) {
      end = first + 1;
      while (end < columns && was.bits(end) != is.bits(end)) ++end;
      const CellRange run{number, row, first, row, end - 1};
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
