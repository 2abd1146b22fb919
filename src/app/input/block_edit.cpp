#include "app/input/block_edit.hpp"

#include <string>

namespace app {

namespace {

std::string size_text(std::size_t rows, std::size_t columns) {
  return std::to_string(rows) + " × " + std::to_string(columns);
}

}  // namespace

base::Result<std::vector<document::Edit>> edits_of(const files::Table& table,
                                                   const stage::Block& block, std::size_t row,
                                                   std::size_t column) {
  const std::size_t rows = block.rows() - row;
  const std::size_t columns = block.columns() - column;
  if (table.rows > rows || table.columns > columns) {
    return base::fail("The pasted block has " + size_text(table.rows, table.columns) +
                      " numbers, rows × columns, and does not fit: from row " +
                      std::to_string(row) + ", column " + std::to_string(column) + " of " +
                      std::string(model::name_of(block.tensor)) + " on there is room for " +
                      size_text(rows, columns) + ".");
  }
  std::vector<document::Edit> edits;
  edits.reserve(table.values.size());
  for (std::size_t i = 0; i < table.rows; ++i) {
    for (std::size_t j = 0; j < table.columns; ++j) {
      edits.push_back(
          {{block.attention, block.tensor, block.index_of(row + i, column + j)}, table.at(i, j)});
    }
  }
  return edits;
}

}  // namespace app
