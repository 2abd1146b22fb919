// For browsers that have relaxed SIMD: multiply and add in one instruction. A module with an
// instruction that an engine does not know is refused as a whole, so this file is a module of its
// own (src/CMakeLists.txt), which the program carries with it and offers to the engine
// (matmul_tile.cpp). It shares the program's memory, and has neither data nor a stack in it.
#ifdef __wasm_relaxed_simd__

#include "kernels/matmul_tile_body.hpp"

namespace kernels {
namespace {

inline f32x4 multiply_add(f32x4 a, f32x4 b, f32x4 sum) {
#if __has_builtin(__builtin_wasm_relaxed_madd_f32x4)
  return __builtin_wasm_relaxed_madd_f32x4(a, b, sum);
#else
  return __builtin_wasm_fma_f32x4(a, b, sum);  // what it was called before the standard
#endif
}

}  // namespace

extern "C" __attribute__((export_name("multiply_panel"))) void relaxed_panel(
    const PanelProduct& product) {
  Tiles<f32x4, multiply_add, relaxed_columns / 4, relaxed_rows>::multiply_panel(product);
}

}  // namespace kernels

#endif
