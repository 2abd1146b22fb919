// The kernel for browsers with relaxed SIMD, which has a fused multiply-add. A browser without it
// refuses a whole module that contains one such instruction, so this file is a wasm module of its
// own (src/CMakeLists.txt) that the program embeds and tries to load (matmul_tile.cpp). It works in
// the program's memory and has neither data nor a stack.
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
