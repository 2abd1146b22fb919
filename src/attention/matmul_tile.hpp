// The innermost step of the matrix product: one small tile of the result, held in registers.
#pragma once

#include <array>
#include <cstddef>

namespace attention {

// A `Lane` is what one instruction works on. Without SIMD it is a single float: a vector type would
// be taken apart into more floats than the machine has registers.
#if defined(__wasm__) && !defined(__wasm_simd128__)
using Lane = float;
#else
using Lane = float __attribute__((vector_size(16)));
#endif

inline constexpr std::size_t lane_width = sizeof(Lane) / sizeof(float);

// 4 × 8 floats: eight accumulators, two lanes of b and one of a fit the sixteen registers of SSE
// and of wasm engines on x86. Larger tiles were slower (6×8, 3×16, 1×32).
inline constexpr std::size_t tile_rows = 4;
inline constexpr std::size_t tile_lanes = 2;
inline constexpr std::size_t tile_columns = tile_lanes * lane_width;

/// tile_rows × tile_columns sums, row by row.
using Tile = std::array<Lane, tile_rows * tile_lanes>;

/// Σ_k a_panel[k]·b_panel[k] (outer products), over packed panels: `a_panel` holds `depth` columns
/// of tile_rows floats, `b_panel` holds `depth` rows of tile_columns floats. A function of its own,
/// called per tile: a browser swaps in the optimised code of a function only between calls.
Tile multiply_panels(std::size_t depth, const float* a_panel, const float* b_panel);

}  // namespace attention
