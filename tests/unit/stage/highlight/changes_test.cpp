#include "stage/highlight/changes.hpp"
#include "special_floats.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace stage {
namespace {

Stage stage_with(std::size_t rows, std::size_t columns, const std::vector<float>& values) {
  Stage stage;
  Block block;
  block.tensor = "scores";
  block.matrix = tensor::Tensor({rows, columns}, values);
  block.cells = {0.0F, 0.0F, 100.0F, 100.0F};
  stage.blocks.push_back(block);
  return stage;
}

using Ranges = std::vector<CellRange>;

TEST(Changes, AreTheCellsWhoseNumbersDiffer) {
  const Stage before = stage_with(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_EQ(changed_cells(before, stage_with(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9})), Ranges{});
  EXPECT_EQ(changed_cells(before, stage_with(3, 3, {1, 2, 3, 4, 0, 6, 7, 8, 9})),
            (Ranges{{0, 1, 1, 1, 1}}));
  EXPECT_EQ(changed_cells(before, stage_with(3, 3, {0, 2, 0, 4, 5, 6, 7, 0, 0})),
            (Ranges{{0, 0, 0, 0, 0}, {0, 0, 2, 0, 2}, {0, 2, 1, 2, 2}}));
}

TEST(Changes, AreFoundAtEveryPlaceHoweverTheNumbersLie) {
  constexpr std::size_t rows = 3;
  for (std::size_t columns = 1; columns <= 9; ++columns) {
    const Stage before = stage_with(rows, columns, std::vector<float>(rows * columns, 0.0F));
    for (std::size_t column = 0; column < columns; ++column) {
      Stage after = before;
      Block& block = after.blocks.front();
      block.matrix = tensor::Tensor({rows, columns});
      block.matrix.set({1, column}, -0.0F);  // other bits, though an equal number
      const Ranges expected{{0, 1, column, 1, column}};
      EXPECT_EQ(changed_cells(before, after), expected) << columns;
      tensor::Tensor other_way({columns, rows});
      other_way.set({column, 1}, 1.0F);
      block.matrix = other_way.transpose(0, 1);
      EXPECT_EQ(changed_cells(before, after), expected) << columns;
    }
  }
}

// Where a copy was written is known, and only there is looked.
TEST(Changes, OfACopyAreThoseOfTheSameNumbersElsewhere) {
  std::uint32_t state = 1;
  const auto below = [&state](std::size_t limit) {
    state = state * 1664525U + 1013904223U;
    return (state >> 8U) % limit;
  };
  for (int round = 0; round < 200; ++round) {
    const std::size_t rows = 1 + below(5);
    const std::size_t columns = 1 + below(5);
    Stage before = stage_with(rows, columns, std::vector<float>(rows * columns, 1.0F));
    Stage after = before;
    const tensor::Tensor whole({2, rows, columns}, std::vector<float>(2 * rows * columns, 1.0F));
    tensor::Tensor copy = whole.clone();
    for (std::size_t writes = below(4); writes > 0; --writes)
      copy.set({below(2), below(rows), below(columns)}, static_cast<float>(below(3)));
    const bool turned = below(2) == 0;
    const auto seen = [turned](const tensor::Tensor& tensor) {
      const tensor::Tensor second = tensor.select(0, 1);
      return turned ? second.transpose(0, 1) : second;
    };
    before.blocks[0].matrix = seen(whole);
    after.blocks[0].matrix = seen(copy);
    Stage elsewhere = after;
    elsewhere.blocks[0].matrix = seen(tensor::Tensor(copy.shape(), copy.values()));
    EXPECT_EQ(changed_cells(before, after), changed_cells(before, elsewhere));
  }
}

TEST(Changes, OfNeighbouringRowsAreOneRange) {
  const Stage before = stage_with(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  EXPECT_EQ(changed_cells(before, stage_with(3, 3, std::vector<float>(9, 0.0F))),
            (Ranges{{0, 0, 0, 2, 2}}));
  EXPECT_EQ(changed_cells(before, stage_with(3, 3, {0, 2, 0, 0, 5, 0, 7, 8, 9})),
            (Ranges{{0, 0, 0, 1, 0}, {0, 0, 2, 1, 2}}));
}

TEST(Changes, AreBoundedInNumber) {
  constexpr std::size_t side = 40;
  std::vector<float> checked(side * side, 0.0F);
  for (std::size_t i = 0; i < checked.size(); ++i) {
    if ((i / side + i % side) % 2 == 0) checked[i] = 1.0F;
  }
  const Stage before = stage_with(side, side, std::vector<float>(side * side, 0.0F));
  const Ranges ranges = changed_cells(before, stage_with(side, side, checked));
  EXPECT_EQ(ranges, (Ranges{{0, 0, 0, 39, 39}}));
  std::vector<float> part(side * side, 0.0F);
  for (std::size_t i = 0; i < 10; ++i) part[5 * side + 3 + 2 * i] = 1.0F;
  EXPECT_EQ(changed_cells(before, stage_with(side, side, part), 4), (Ranges{{0, 5, 3, 5, 21}}));
  EXPECT_EQ(changed_cells(before, stage_with(side, side, part), 10).size(), 10U);
}

TEST(Changes, OfWhichThereAreTooManyAreInOneRangeAroundThem) {
  constexpr std::size_t rows = 6;
  constexpr std::size_t columns = 40;
  // Every other cell of the first row; then rows that change to the left of those and to the right.
  std::vector<float> changed(rows * columns, 0.0F);
  for (std::size_t column = 10; column < 30; column += 2) changed[column] = 1.0F;
  const auto with = [&changed](std::size_t row, std::size_t column) {
    std::vector<float> more = changed;
    more[row * columns + column] = 1.0F;
    return stage_with(rows, columns, more);
  };
  const Stage before = stage_with(rows, columns, std::vector<float>(rows * columns, 0.0F));
  EXPECT_EQ(changed_cells(before, with(3, 2), 4), (Ranges{{0, 0, 2, 3, 28}}));
  EXPECT_EQ(changed_cells(before, with(3, 20), 4), (Ranges{{0, 0, 10, 3, 28}}));
  EXPECT_EQ(changed_cells(before, with(5, 39), 4), (Ranges{{0, 0, 10, 5, 39}}));
  EXPECT_EQ(changed_cells(before, with(0, 35), 4), (Ranges{{0, 0, 10, 0, 35}}));
}

TEST(Changes, CompareTheSameBlocksOnly) {
  const Stage before = stage_with(2, 2, {1, 2, 3, 4});
  EXPECT_TRUE(changed_cells(before, stage_with(2, 3, {1, 1, 1, 1, 1, 1})).empty());
  Stage other = stage_with(2, 2, {0, 0, 0, 0});
  other.blocks[0].head = 1;
  EXPECT_TRUE(changed_cells(before, other).empty());
  EXPECT_TRUE(changed_cells(Stage{}, other).empty());
}

TEST(Changes, SeeWhatIsNoOrdinaryNumber) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Stage before = stage_with(1, 3, {0, -infinity, nan});
  EXPECT_TRUE(changed_cells(before, stage_with(1, 3, {0, -infinity, nan})).empty());
  EXPECT_EQ(changed_cells(before, stage_with(1, 3, {-infinity, -infinity, nan})),
            (Ranges{{0, 0, 0, 0, 0}}));
}

}  // namespace
}  // namespace stage
