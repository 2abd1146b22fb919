// The innermost step of the matrix product: one panel of columns, in tiles that are held in
// registers. There is one kernel for each kind of vectors that a processor may have.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace kernels {

/// How many terms are summed before they are added to the cell.
inline constexpr std::size_t matmul_block_depth = 256;

/// rows × columns of a product: result = a · b, or result += a · b, and + bias at the end.
struct PanelProduct {
  /// Rows of `depth` numbers, matmul_block_depth apart: a distance that is known when the kernel is
  /// compiled costs no instruction.
  const float* a = nullptr;
  std::size_t rows = 0;
  std::size_t depth = 0;
  const float* b_panel = nullptr;  ///< `depth` rows of as many floats as the kernel's panels have
  float* result = nullptr;         ///< element [row,column] is result[row·result_stride + column]
  std::size_t result_stride = 0;
  std::size_t columns = 0;      ///< of the panel that are wanted
  bool add = false;             ///< to what the result holds
  const float* bias = nullptr;  ///< one number per column, or null
};

/// Computes a PanelProduct.
using MultiplyPanel = void(const PanelProduct& product);

/// A way to compute a PanelProduct. Sums run over k in ascending order from 0.
struct MatmulKernel {
  std::string_view name;  ///< "portable", "avx2", "avx512", "relaxed"
  /// Rounds only after both the multiplication and the addition (FMA); otherwise after each. The
  /// last digits differ. (Relaxed SIMD may do either; engines fuse where the processor can.)
  bool fused;
  std::size_t panel_columns;  ///< how wide a packed panel is
  std::size_t tile_rows;      ///< rows of the largest tile
  MultiplyPanel* multiply_panel;
};

/// The one that is used: the widest that this processor or browser has, or natively the one that
/// the environment variable ATTENTION_LIVE_VECTORS names, if the processor has it. The same one as
/// long as the program runs.
const MatmulKernel& matmul_kernel();

/// All that this processor or browser has, `portable` first, the widest last.
std::span<const MatmulKernel> matmul_kernels();

// For processors and browsers that have more than every one of their kind has. Which of them a
// build has: src/CMakeLists.txt.
extern const MatmulKernel avx2_kernel;    ///< needs AVX2 and FMA
extern const MatmulKernel avx512_kernel;  ///< needs AVX-512 F
// Relaxed SIMD: 6 × 8 floats, twelve accumulators, two lanes of b and one of a fit sixteen
// registers, since multiply and add in one instruction needs none for the product between.
inline constexpr std::size_t relaxed_columns = 8;
inline constexpr std::size_t relaxed_rows = 6;

}  // namespace kernels
