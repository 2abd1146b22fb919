#include "kernels/matmul_tile.hpp"

#include <cstdlib>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#ifdef __wasm_simd128__
#include <emscripten.h>
#endif

namespace kernels {
namespace {

/// A product of small whole numbers, which float32 sums without rounding.
struct Example {
  std::size_t panel_columns, result_stride, rows, depth, columns;
  std::vector<float> a, b, bias, result;

  Example(const MatmulKernel& kernel, std::size_t rows_, std::size_t depth_, std::size_t columns_)
      : panel_columns(kernel.panel_columns),
        result_stride(panel_columns + 2),
        rows(rows_),
        depth(depth_),
        columns(columns_) {
    a.resize(rows * matmul_block_depth);
    b.resize(depth * panel_columns);
    bias.resize(columns);
    result.assign(rows * result_stride, untouched);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 11) - 4.0F;
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = 2.0F - static_cast<float>(i % 7);
    for (std::size_t i = 0; i < bias.size(); ++i) bias[i] = 100.0F * static_cast<float>(i + 1);
  }

  PanelProduct product() {
    PanelProduct product;
    product.a = a.data();
    product.rows = rows;
    product.depth = depth;
    product.b_panel = b.data();
    product.result = result.data();
    product.result_stride = result_stride;
    product.columns = columns;
    return product;
  }

  float sum(std::size_t row, std::size_t column) const {
    float sum = 0.0F;
    for (std::size_t k = 0; k < depth; ++k)
      sum += a[row * matmul_block_depth + k] * b[k * panel_columns + column];
    return sum;
  }

  static constexpr float untouched = -12345.0F;
};

TEST(MatmulTile, RestoresAPanelOfWholeNumbers) {
  for (const MatmulKernel& kernel : matmul_kernels()) {
    constexpr std::size_t depth = 20;
    std::vector<std::int8_t> whole;
    for (std::size_t i = 0; i < depth * kernel.panel_columns; ++i)
      whole.push_back(static_cast<std::int8_t>(static_cast<int>(i * 7 % 256) - 128));
    std::vector<float> scales;
    for (std::size_t column = 0; column < kernel.panel_columns; ++column)
      scales.push_back(0.37F * static_cast<float>(column) - 1.0F);
    std::vector<float> panel(whole.size());
    kernel.restore_panel(whole.data(), scales.data(), depth, panel.data());
    for (std::size_t i = 0; i < panel.size(); ++i) {
      ASSERT_EQ(panel[i], static_cast<float>(whole[i]) * scales[i % kernel.panel_columns])
          << kernel.name << ' ' << i;
    }
  }
}

TEST(MatmulTile, EveryNumberOfRowsAndColumns) {
  for (const MatmulKernel& kernel : matmul_kernels()) {
    for (std::size_t rows = 1; rows <= 5 * kernel.tile_rows + 1; ++rows) {
      for (std::size_t columns = 1; columns <= kernel.panel_columns; ++columns) {
        Example example(kernel, rows, 9, columns);
        kernel.multiply_panel(example.product());
        for (std::size_t row = 0; row < rows; ++row) {
          for (std::size_t column = 0; column < example.result_stride; ++column) {
            const float expected = column < columns ? example.sum(row, column) : Example::untouched;
            ASSERT_EQ(example.result[row * example.result_stride + column], expected)
                << kernel.name << ", " << rows << " rows, " << columns << " columns: " << row << ','
                << column;
          }
        }
      }
    }
  }
}

TEST(MatmulTile, AddsToWhatIsThereAndTheBiasLast) {
  for (const MatmulKernel& kernel : matmul_kernels()) {
    for (const std::size_t columns : {kernel.panel_columns, kernel.panel_columns - 1}) {
      Example example(kernel, 4, 3, columns);
      example.result.assign(example.result.size(), 0.5F);
      PanelProduct product = example.product();
      product.add = true;
      product.bias = example.bias.data();
      kernel.multiply_panel(product);
      for (std::size_t column = 0; column < columns; ++column) {
        EXPECT_EQ(example.result[column], 0.5F + example.sum(0, column) + example.bias[column])
            << kernel.name;
      }
    }
  }
}

TEST(MatmulTile, NothingToAddIsZero) {
  for (const MatmulKernel& kernel : matmul_kernels()) {
    Example example(kernel, 3, 0, kernel.panel_columns);
    kernel.multiply_panel(example.product());
    EXPECT_EQ(example.result.front(), 0.0F) << kernel.name;
  }
}

TEST(MatmulTile, ThePortableKernelIsAlwaysThere) {
  EXPECT_EQ(matmul_kernels().front().name, "portable");
  bool is_one_of_them = false;
  for (const MatmulKernel& kernel : matmul_kernels())
    is_one_of_them = is_one_of_them || kernel.name == matmul_kernel().name;
  EXPECT_TRUE(is_one_of_them);
}

#if defined(__x86_64__)
TEST(MatmulTile, TheKernelThatTheEnvironmentNamesIsChosen) {
  const char* wanted = std::getenv("ATTENTION_LIVE_VECTORS");
  EXPECT_EQ(matmul_kernel().name, wanted != nullptr ? wanted : matmul_kernels().back().name);
}
#endif

#ifdef __wasm_simd128__

/// Asks the engine about a module of one function with f32x4.relaxed_madd in it.
bool engine_has_relaxed_simd() {
  return EM_ASM_INT({
           return WebAssembly.validate(new Uint8Array([
             0, 97, 115, 109, 1,  0, 0,  0, 1,  8, 1,  96, 3,  123, 123, 123, 1, 123, 3,
             2, 1,  0,   10,  13, 1, 11, 0, 32, 0, 32, 1,  32, 2,   253, 133, 2, 11
           ]));
         }) != 0;
}

TEST(MatmulTile, RelaxedSimdIsUsedWhereTheEngineHasIt) {
  const std::string_view expected = engine_has_relaxed_simd() ? "relaxed" : "portable";
  EXPECT_EQ(matmul_kernel().name, expected);
  EXPECT_EQ(matmul_kernels().back().name, expected);
}

#endif

}  // namespace
}  // namespace kernels
