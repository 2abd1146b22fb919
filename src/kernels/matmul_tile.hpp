// The innermost step of the matrix product: one panel of columns, in tiles that are held in
// registers. There is one kernel for each kind of vectors that a processor may have.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace kernels {

/// So many panels, one behind the other, are multiplied by a single row together: with one panel it
/// would wait for each addition before it could do the next, and for memory.
inline constexpr std::size_t panels_of_row = 4;

/// rows × columns of a product: result = a · b, or result += a · b, and + bias at the end.
struct PanelProduct {
  /// As pack_rows lays them out for the kernel; or, where there is an a_stride, rows as they lie,
  /// so far apart: faster for a few short ones.
  const float* a_panels = nullptr;
  std::size_t a_stride = 0;
  std::size_t rows = 0;
  std::size_t depth = 0;
  const float* b_panel = nullptr;  ///< `depth` rows of as many floats as the kernel's panels have
  std::size_t b_stride = 0;        ///< floats from one panel to the next
  float* result = nullptr;         ///< element [row,column] is result[row·result_stride + column]
  std::size_t result_stride = 0;
  /// Of the panel that are wanted; or, of a single row, of panels_of_row panels.
  std::size_t columns = 0;
  bool add = false;             ///< to what the result holds
  const float* bias = nullptr;  ///< one number per column, or null
};

/// How many of `left` rows the next tile has, of `most` at most: as few tiles as there can be, of
/// much the same height. 9 rows by fours are 3 + 3 + 3, since a tile of one or two rows waits for
/// its own additions. (Inlined always, since it is compiled for several processors: see
/// matmul_tile_body.hpp.)
[[gnu::always_inline]] constexpr std::size_t next_tile_rows(std::size_t left, std::size_t most) {
  const std::size_t tiles = (left + most - 1) / most;
  return (left + tiles - 1) / tiles;
}

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

}  // namespace kernels
