#include "attention/matmul_tile.hpp"

#include <cstring>

namespace attention {
namespace {

inline Lane broadcast(float value) {
#if defined(__wasm__) && !defined(__wasm_simd128__)
  return value;
#else
  return Lane{value, value, value, value};
#endif
}

inline Lane load(const float* values) {
  Lane lane;
  std::memcpy(&lane, values, sizeof lane);
  return lane;
}

}  // namespace

Tile multiply_panels(std::size_t depth, const float* a_panel, const float* b_panel) {
  Tile sums{};
  for (std::size_t k = 0; k < depth; ++k, a_panel += tile_rows, b_panel += tile_columns) {
    for (std::size_t row = 0; row < tile_rows; ++row) {
      const Lane a = broadcast(a_panel[row]);
      for (std::size_t lane = 0; lane < tile_lanes; ++lane) {
        sums[row * tile_lanes + lane] += a * load(b_panel + lane * lane_width);
      }
    }
  }
  return sums;
}

}  // namespace attention
