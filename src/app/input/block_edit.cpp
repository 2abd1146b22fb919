#include "app/input/block_edit.hpp"

#include "base/text.hpp"

namespace app {

base::Result<std::vector<document::Edit>> edits_of(const files::Table& table,
                                                   const stage::Block& block, std::size_t row,
                                                   std::size_t column) {
  const std::size_t rows = block.rows() - row;
  const std::size_t columns = block.columns() - column;
  if (table.rows > rows || table.columns > columns) {
    return base::fail(
        base::text("app.clipboard.too_large", {{"rows", table.rows},
                                               {"columns", table.columns},
                                               {"row", row},
                                               {"column", column},
                                               {"tensor", model::name_of(block.tensor)},
                                               {"most_rows", rows},
                                               {"most_columns", columns}}));
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
