#include "app/input/number_drag.hpp"

#include <gtest/gtest.h>

#include "model/attention/mask.hpp"

namespace app {
namespace {

using model::hidden;
using model::TensorId;

TEST(DragStep, IsARoundHundredthOfTheRange) {
  EXPECT_DOUBLE_EQ(drag_step(1.0F), 0.01);
  EXPECT_DOUBLE_EQ(drag_step(0.5F), 0.005);
  EXPECT_DOUBLE_EQ(drag_step(0.9F), 0.005);
  EXPECT_DOUBLE_EQ(drag_step(0.31F), 0.002);
  EXPECT_DOUBLE_EQ(drag_step(0.19F), 0.001);
  EXPECT_DOUBLE_EQ(drag_step(4608.0F), 20.0);
  EXPECT_DOUBLE_EQ(drag_step(0.0F), 0.01);
}

document::CellAddress first_cell() {
  return {lesson::AttentionId::attention, "query_input", {0, 0, 0}};
}

TEST(NumberDrag, GoesUpToTheRightAndDownToTheLeft) {
  NumberDrag progress(first_cell(), 0.5F, 1.0F);
  EXPECT_EQ(progress.moved(10.0F, false), 0.6F);
  EXPECT_EQ(progress.moved(-70.0F, false), -0.1F);
  EXPECT_EQ(progress.moved(60.0F, false), 0.5F);
  EXPECT_EQ(progress.cell(), first_cell());
}

TEST(NumberDrag, ShiftIsTenTimesFiner) {
  NumberDrag progress(first_cell(), 0.5F, 1.0F);
  EXPECT_EQ(progress.moved(3.0F, true), 0.503F);
  // Without it the grid is the coarse one again.
  EXPECT_EQ(progress.moved(1.0F, false), 0.51F);
}

TEST(NumberDrag, GathersPartsOfAStep) {
  NumberDrag progress(first_cell(), 0.0F, 1.0F);
  float value = 0.0F;
  for (int i = 0; i < 8; ++i) value = progress.moved(0.25F, false);
  EXPECT_EQ(value, 0.02F);
}

TEST(NumberDrag, StaysWithinWhatAnEditMayHave) {
  NumberDrag progress(first_cell(), 9999.0F, 10000.0F);
  EXPECT_EQ(progress.moved(1e6F, false), 10000.0F);
  EXPECT_EQ(progress.moved(-1e7F, false), -10000.0F);
}

TEST(NumberDrag, AWeightStaysBetweenNothingAndAll) {
  NumberDrag progress({lesson::AttentionId::attention, "attention_weights", {0, 0, 0, 0}}, 0.5F,
                      1.0F);
  EXPECT_EQ(progress.moved(20.0F, false), 0.7F);
  EXPECT_EQ(progress.moved(500.0F, false), 1.0F);
  EXPECT_EQ(progress.moved(-500.0F, false), 0.0F);
}

/// Three rows and four columns of cells, 10 × 10 each.
stage::Block mask_block(const std::vector<float>& values = std::vector<float>(12, 0.0F)) {
  stage::Block block;
  block.tensor = "mask";
  block.matrix = tensor::Tensor({3, 4}, values);
  block.corner = {0, 0, 0, 0};
  block.row_axis = 2;
  block.column_axis = 3;
  block.cells = {0.0F, 0.0F, 40.0F, 30.0F};
  return block;
}

std::vector<tensor::Index> cells_of(const std::vector<document::Edit>& edits) {
  std::vector<tensor::Index> cells;
  for (const document::Edit& edit : edits) cells.push_back(edit.cell.index);
  return cells;
}

using Cells = std::vector<tensor::Index>;

TEST(MaskStroke, HidesEveryCellOnItsWay) {
  const stage::Block block = mask_block();
  MaskStroke stroke(block, {0, 0, 0}, {5.0F, 5.0F});
  const auto edits = stroke.moved_to(block, {35.0F, 5.0F});  // in one leap
  EXPECT_EQ(cells_of(edits), (Cells{{0, 0, 0, 0}, {0, 0, 0, 1}, {0, 0, 0, 2}, {0, 0, 0, 3}}));
  for (const document::Edit& edit : edits) EXPECT_EQ(edit.value, hidden);
  // Back over the same cells nothing changes; further down it goes on.
  EXPECT_EQ(cells_of(stroke.moved_to(block, {35.0F, 25.0F})), (Cells{{0, 0, 1, 3}, {0, 0, 2, 3}}));
  EXPECT_TRUE(stroke.moved_to(block, {35.0F, 5.0F}).empty());
}

TEST(MaskStroke, ShowsWhereItsFirstCellWasHidden) {
  std::vector<float> values(12, hidden);
  values[1] = 0.0F;
  const stage::Block block = mask_block(values);
  MaskStroke stroke(block, {0, 0, 0}, {5.0F, 5.0F});
  const auto edits = stroke.moved_to(block, {25.0F, 5.0F});
  // The second one is shown already.
  EXPECT_EQ(cells_of(edits), (Cells{{0, 0, 0, 0}, {0, 0, 0, 2}}));
  for (const document::Edit& edit : edits) EXPECT_EQ(edit.value, 0.0F);
}

TEST(MaskStroke, OutsideTheMaskNothingIsPainted) {
  const stage::Block block = mask_block();
  MaskStroke stroke(block, {0, 0, 3}, {35.0F, 5.0F});
  EXPECT_EQ(cells_of(stroke.moved_to(block, {500.0F, 5.0F})), (Cells{{0, 0, 0, 3}}));
  EXPECT_TRUE(stroke.moved_to(block, {500.0F, 900.0F}).empty());
  EXPECT_EQ(cells_of(stroke.moved_to(block, {38.0F, 28.0F})), (Cells{{0, 0, 2, 3}}));
}

}  // namespace
}  // namespace app
