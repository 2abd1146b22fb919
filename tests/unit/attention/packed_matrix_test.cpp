#include "attention/packed_matrix.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "attention/helpers.hpp"
#include "attention/matmul.hpp"
#include "attention/matmul_tile.hpp"

namespace attention {
namespace {

MatrixView view_of(const Tensor& matrix) {
  return {matrix.data(), matrix.dim(0), matrix.dim(1), matrix.strides()[0], matrix.strides()[1]};
}

const std::size_t panel_columns = matmul_kernel().panel_columns;

TEST(PackedMatrix, HasEveryCellAndZerosBehindTheLastColumn) {
  for (const std::size_t rows : {std::size_t{1}, std::size_t{7}, matmul_block_depth + 3}) {
    for (std::size_t columns = 1; columns <= 2 * panel_columns + 1; ++columns) {
      for (const bool turned : {false, true}) {
        const Tensor matrix = turned ? test::counting({columns, rows}).transpose(0, 1)
                                     : test::counting({rows, columns});
        PackedMatrix packed;
        pack(view_of(matrix), packed);
        for (std::size_t row = 0; row < rows; ++row) {
          const std::size_t block = row / matmul_block_depth * matmul_block_depth;
          for (std::size_t first = 0; first < columns; first += panel_columns) {
            const float* panel = packed.panel(block, first) + (row - block) * panel_columns;
            for (std::size_t i = 0; i < panel_columns; ++i) {
              const float expected = first + i < columns ? matrix.at({row, first + i}) : 0.0F;
              ASSERT_EQ(panel[i], expected)
                  << rows << " × " << columns << ": " << row << ',' << first + i;
            }
          }
        }
      }
    }
  }
}

TEST(PackedMatrix, LeftFactorsLieInTiles) {
  constexpr float untouched = -1.0F;
  constexpr std::size_t stride = 11;
  for (std::size_t tile_rows = 1; tile_rows <= 12; ++tile_rows) {
    for (std::size_t rows = 1; rows <= 26; ++rows) {
      for (std::size_t depth = 1; depth <= 9; ++depth) {
        const Tensor a = test::counting({rows, stride});
        std::vector<float> panels(rows * depth + packed_rows_slack + 1, untouched);
        pack_rows(a.data(), stride, rows, depth, tile_rows, panels.data());
        std::size_t place = 0;
        for (std::size_t first = 0; first < rows;) {
          const std::size_t count = next_tile_rows(rows - first, tile_rows);
          for (std::size_t k = 0; k < depth; ++k) {
            for (std::size_t row = first; row < first + count; ++row, ++place) {
              ASSERT_EQ(panels[place], a.at({row, k}))
                  << rows << " rows by " << tile_rows << ": " << row << ',' << k << " of " << depth;
            }
          }
          first += count;
        }
        EXPECT_EQ(panels.back(), untouched) << "written too far";
      }
    }
  }
}

TEST(PackedMatrix, OfAWeightIsMadeOnceUntilItsNumbersChange) {
  Tensor weight = test::counting({5, 6});
  const Tensor x = test::counting({2, 6});
  const Tensor turned = weight.transpose(0, 1);
  const Tensor before = matmul(x, turned);
  const PackedMatrix* packed = weight.packed().get();
  ASSERT_NE(packed, nullptr);
  matmul(x, turned);
  EXPECT_EQ(weight.packed().get(), packed);

  weight.set({0, 0}, 100.0F);
  EXPECT_EQ(weight.packed(), nullptr);
  const Tensor after = matmul(x, turned);
  EXPECT_NE(after.at({0, 0}), before.at({0, 0}));
  EXPECT_EQ(after.at({0, 1}), before.at({0, 1}));

  // A part of it is packed, but not in the place of the whole.
  const PackedMatrix* whole = weight.packed().get();
  test::expect_values(
      matmul(Tensor({1, 6}, {1, 0, 0, 0, 0, 0}), weight.narrow(0, 1, 2).transpose(0, 1)), {7, 13});
  EXPECT_EQ(weight.packed().get(), whole);

  // Another view of the same numbers is another matrix.
  test::expect_values(matmul(Tensor({1, 5}, {1, 0, 0, 0, 0}), weight), {100, 2, 3, 4, 5, 6});
  test::expect_values(matmul(Tensor({1, 6}, {1, 0, 0, 0, 0, 0}), turned), {100, 7, 13, 19, 25});
}

}  // namespace
}  // namespace attention
