#include "attention/matmul_tile.hpp"

#include <cstring>
#include <vector>

#include <gtest/gtest.h>

namespace attention {
namespace {

TEST(MatmulTile, AddsOuterProducts) {
  constexpr std::size_t depth = 3;
  std::vector<float> a(depth * tile_rows);
  std::vector<float> b(depth * tile_columns);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i) - 4.0F;
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = 2.0F - static_cast<float>(i % 7);

  const Tile tile = multiply_panels(depth, a.data(), b.data());
  std::vector<float> sums(tile_rows * tile_columns);
  std::memcpy(sums.data(), tile.data(), sums.size() * sizeof(float));
  for (std::size_t row = 0; row < tile_rows; ++row) {
    for (std::size_t column = 0; column < tile_columns; ++column) {
      float expected = 0.0F;
      for (std::size_t k = 0; k < depth; ++k) {
        expected += a[k * tile_rows + row] * b[k * tile_columns + column];
      }
      EXPECT_EQ(sums[row * tile_columns + column], expected) << row << ',' << column;
    }
  }
}

TEST(MatmulTile, NothingToAddIsZero) {
  const std::vector<float> a(tile_rows, 1.0F);
  const std::vector<float> b(tile_columns, 1.0F);
  const Tile tile = multiply_panels(0, a.data(), b.data());
  std::vector<float> sums(tile_rows * tile_columns, 1.0F);
  std::memcpy(sums.data(), tile.data(), sums.size() * sizeof(float));
  for (const float sum : sums) EXPECT_EQ(sum, 0.0F);
}

}  // namespace
}  // namespace attention
