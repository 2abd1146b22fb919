#include "attention/matmul_tile.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace attention {
namespace {

/// A product of small whole numbers, which float32 sums without rounding.
struct Example {
  std::size_t rows, depth, columns, a_stride;
  std::vector<float> a, b, bias, result;

  Example(std::size_t rows_, std::size_t depth_, std::size_t columns_)
      : rows(rows_), depth(depth_), columns(columns_), a_stride(depth_ + 3) {
    a.resize(rows * a_stride);
    b.resize(depth * tile_columns);
    bias.resize(columns);
    result.assign(rows * result_stride, untouched);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 11) - 4.0F;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = 2.0F - static_cast<float>(i % 7);
    for (std::size_t i = 0; i < bias.size(); ++i) bias[i] = 100.0F * static_cast<float>(i + 1);
  }

  PanelProduct product() {
    return {a.data(),      a_stride,      rows,    depth, b.data(),
            result.data(), result_stride, columns, false, nullptr};
  }

  float sum(std::size_t row, std::size_t column) const {
    float sum = 0.0F;
    for (std::size_t k = 0; k < depth; ++k)
      sum += a[row * a_stride + k] * b[k * tile_columns + column];
    return sum;
  }

  static constexpr std::size_t result_stride = tile_columns + 2;
  static constexpr float untouched = -12345.0F;
};

TEST(MatmulTile, EveryNumberOfRowsAndColumns) {
  for (std::size_t rows = 1; rows <= 21; ++rows) {
    for (std::size_t columns = 1; columns <= tile_columns; ++columns) {
      Example example(rows, 5, columns);
      multiply_panel(example.product());
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t column = 0; column < Example::result_stride; ++column) {
          const float expected = column < columns ? example.sum(row, column) : Example::untouched;
          EXPECT_EQ(example.result[row * Example::result_stride + column], expected)
              << rows << " rows, " << columns << " columns: " << row << ',' << column;
        }
      }
    }
  }
}

TEST(MatmulTile, AddsToWhatIsThereAndTheBiasLast) {
  for (const std::size_t columns : {tile_columns, tile_columns - 1}) {
    Example example(4, 3, columns);
    example.result.assign(example.result.size(), 0.5F);
    PanelProduct product = example.product();
    product.add = true;
    product.bias = example.bias.data();
    multiply_panel(product);
    for (std::size_t column = 0; column < columns; ++column) {
      EXPECT_EQ(example.result[column], 0.5F + example.sum(0, column) + example.bias[column]);
    }
  }
}

TEST(MatmulTile, NothingToAddIsZero) {
  Example example(3, 0, tile_columns);
  multiply_panel(example.product());
  EXPECT_EQ(example.result.front(), 0.0F);
}

}  // namespace
}  // namespace attention
