// The innermost step of the matrix product: one panel of columns, in tiles that are held in
// registers.
#pragma once

#include <array>
#include <cstddef>

#include "attention/lanes.hpp"

namespace attention {

// A `Lane` is what one instruction works on. Without SIMD it is a single float: a vector type would
// be taken apart into more floats than the machine has registers.
#if defined(__wasm__) && !defined(__wasm_simd128__)
using Lane = float;
#else
using Lane = Four;
#endif

inline constexpr std::size_t lane_width = sizeof(Lane) / sizeof(float);

// 4 × 8 floats: eight accumulators, two lanes of b and one of a fit the sixteen registers of SSE
// and of wasm engines on x86. Larger tiles were slower (6×8, 3×16, 1×32).
inline constexpr std::size_t tile_rows = 4;
inline constexpr std::size_t tile_lanes = 2;
inline constexpr std::size_t tile_columns = tile_lanes * lane_width;

/// rows × columns of a product: result = a · b, or result += a · b, and + bias at the end.
struct PanelProduct {
  const float* a = nullptr;  ///< element [row,k] is a[row·a_stride + k]
  std::size_t a_stride = 0;
  std::size_t rows = 0;
  std::size_t depth = 0;
  const float* b_panel = nullptr;  ///< `depth` rows of tile_columns floats
  float* result = nullptr;         ///< element [row,column] is result[row·result_stride + column]
  std::size_t result_stride = 0;
  std::size_t columns = 0;      ///< of the panel that are wanted, tile_columns at most
  bool add = false;             ///< to what the result holds
  const float* bias = nullptr;  ///< one number per column, or null
};

/// Sums run over k in ascending order from 0. A function of its own, called per panel: a browser
/// swaps in the optimised code of a function only between calls.
void multiply_panel(const PanelProduct& product);

}  // namespace attention
