#include "app/input/block_edit.hpp"

#include <gtest/gtest.h>

namespace app {
namespace {

using model::TensorId;

/// Sample 1 of an input [2, 3, 4].
stage::Block input_block() {
  stage::Block block;
  block.tensor = "query_input";
  block.matrix = tensor::Tensor({3, 4});
  block.corner = {1, 0, 0};
  block.row_axis = 1;
  block.column_axis = 2;
  return block;
}

TEST(BlockEdit, EveryNumberGoesToTheCellUnderIt) {
  const files::Table table{2, 2, {1, 2, 3, 4}};
  const auto edits = edits_of(table, input_block(), 1, 2);
  ASSERT_TRUE(edits) << edits.error().message;
  const std::vector<tensor::Index> cells = {{1, 1, 2}, {1, 1, 3}, {1, 2, 2}, {1, 2, 3}};
  ASSERT_EQ(edits->size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ((*edits)[i].cell.tensor, TensorId("query_input"));
    EXPECT_EQ((*edits)[i].cell.index, cells[i]);
    EXPECT_EQ((*edits)[i].value, static_cast<float>(i + 1));
  }
}

TEST(BlockEdit, ABlockThatDoesNotFitIsRefused) {
  const files::Table wide{1, 3, {1, 2, 3}};
  const auto refused = edits_of(wide, input_block(), 1, 2);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "The pasted block has 1 × 3 numbers, rows × columns, and does not fit: from row 1, "
            "column 2 of query_input on there is room for 2 × 2.");
  EXPECT_FALSE(edits_of({4, 1, {1, 2, 3, 4}}, input_block(), 0, 0));
  EXPECT_TRUE(edits_of({3, 4, std::vector<float>(12, 1.0F)}, input_block(), 0, 0));
  EXPECT_TRUE(edits_of({1, 1, {1.0F}}, input_block(), 2, 3));
}

}  // namespace
}  // namespace app
