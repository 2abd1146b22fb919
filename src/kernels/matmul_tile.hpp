// The innermost step of the matrix product: one panel of columns, computed in tiles that fit into
// registers. There is one kernel for each SIMD instruction set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace kernels {

/// How many terms are summed before they are added to the cell.
inline constexpr std::size_t matmul_block_depth = 256;

/// rows × columns of a product: result = a · b, or result += a · b, and + bias at the end.
struct PanelProduct {
  /// Rows of `depth` numbers, matmul_block_depth apart, so that addresses are known constants.
  const float* a = nullptr;
  std::size_t rows = 0;
  std::size_t depth = 0;
  const float* b_panel = nullptr;  ///< `depth` rows of MatmulKernel::panel_columns floats
  float* result = nullptr;         ///< element [row,column] is result[row·result_stride + column]
  std::size_t result_stride = 0;
  std::size_t columns = 0;      ///< of the panel; the rest of it is padding
  bool add = false;             ///< add to what the result holds
  const float* bias = nullptr;  ///< one number per column, or null
};

/// Computes a PanelProduct.
using MultiplyPanel = void(const PanelProduct& product);

/// Writes a panel of whole numbers, each times the scale of its column: `depth` rows of
/// MatmulKernel::panel_columns floats.
using RestorePanel = void(const std::int8_t* whole, const float* scales, std::size_t depth,
                          float* panel);

/// A way to compute a PanelProduct. Sums run over k in ascending order from 0.
struct MatmulKernel {
  std::string_view name;  ///< "portable", "avx2", "avx512", "relaxed"
  /// Fused multiply-add: rounds once, not after the multiplication too, so the last digits differ.
  /// (Relaxed SIMD leaves it open; engines fuse where the processor can.)
  bool fused;
  std::size_t panel_columns;  ///< how wide a packed panel is
  std::size_t tile_rows;      ///< rows of the largest tile
  MultiplyPanel* multiply_panel;
  RestorePanel* restore_panel;
};

/// The kernel in use, the same as long as the program runs: the widest that is supported, or,
/// natively, the one named by the environment variable ATTENTION_LIVE_VECTORS if it is supported.
const MatmulKernel& matmul_kernel();

/// All kernels that the processor or browser supports, `portable` first, the widest last.
std::span<const MatmulKernel> matmul_kernels();

// Kernels that not every processor or browser supports; src/CMakeLists.txt says which a build has.
extern const MatmulKernel avx2_kernel;    ///< needs AVX2 and FMA
extern const MatmulKernel avx512_kernel;  ///< needs AVX-512 F
// Relaxed SIMD: 6 × 8 floats are twelve accumulators; with two lanes of b and one of a they fit
// into sixteen registers, because a fused multiply-add needs none for the product.
inline constexpr std::size_t relaxed_columns = 8;
inline constexpr std::size_t relaxed_rows = 6;

}  // namespace kernels
