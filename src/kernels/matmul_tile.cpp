#include "kernels/matmul_tile.hpp"

#include <cstdint>
#include <cstdlib>
#include <vector>

#ifdef __aarch64__
#include <arm_neon.h>
#endif
#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#include "kernels/matmul_tile_body.hpp"

#ifdef ATTENTION_LIVE_RELAXED_KERNEL
#include "relaxed_kernel_code.hpp"

/// Loads the module of matmul_tile_relaxed.cpp into this program's memory. Returns a pointer to its
/// function, or 0 if the browser refuses the module: relaxed_kernel.js.
extern "C" std::uintptr_t attention_connect_relaxed_kernel(const unsigned char* code,
                                                           std::size_t length);
#endif

namespace kernels {
namespace {

// 4 × 8 floats are eight accumulators; with two lanes of b and one of a they fit into the sixteen
// registers of SSE, in wasm engines too. Larger tiles (6×8, 3×16, 1×32) were slower.
#ifdef __aarch64__
constexpr bool fused = true;  // every aarch64 processor has FMA
inline f32x4 multiply_add(f32x4 a, f32x4 b, f32x4 sum) { return vfmaq_f32(sum, a, b); }
#else
constexpr bool fused = false;
inline f32x4 multiply_add(f32x4 a, f32x4 b, f32x4 sum) { return sum + a * b; }
#endif
inline f32x4 lane_of(const std::int8_t* whole) {
#ifdef __wasm_simd128__
  // Number by number, this takes longer than the product.
  v128_t numbers = wasm_i16x8_extend_low_i8x16(wasm_v128_load32_zero(whole));
  numbers = wasm_i32x4_extend_low_i16x8(numbers);
#if __clang_major__ < 15
  asm("" : "+r"(numbers));  // or else clang 14 takes them apart again
#endif
  return f32x4(wasm_f32x4_convert_i32x4(numbers));
#else
  return f32x4{static_cast<float>(whole[0]), static_cast<float>(whole[1]),
               static_cast<float>(whole[2]), static_cast<float>(whole[3])};
#endif
}
constexpr MatmulKernel portable =
    Tiles<f32x4, multiply_add, 2, 4, lane_of>::kernel("portable", fused);

std::vector<MatmulKernel> found_kernels() {
  std::vector<MatmulKernel> found{portable};
#if defined(ATTENTION_LIVE_X86_KERNELS)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) found.push_back(avx2_kernel);
  if (__builtin_cpu_supports("avx512f")) found.push_back(avx512_kernel);
#elif defined(ATTENTION_LIVE_RELAXED_KERNEL)
  const std::uintptr_t place =
      attention_connect_relaxed_kernel(relaxed_kernel_code, sizeof relaxed_kernel_code);
  auto* const multiply_panel = reinterpret_cast<MultiplyPanel*>(place);
  // Its module is as small as can be; panels of the portable kernel are as wide.
  static_assert(relaxed_columns == portable.panel_columns);
  if (place != 0)
    found.push_back(
        {"relaxed", true, relaxed_columns, relaxed_rows, multiply_panel, portable.restore_panel});
#endif
  return found;
}

const MatmulKernel& chosen_kernel() {
#ifdef ATTENTION_LIVE_X86_KERNELS
  const char* wanted = std::getenv("ATTENTION_LIVE_VECTORS");
  for (const MatmulKernel& kernel : matmul_kernels()) {
    if (wanted != nullptr && kernel.name == wanted) return kernel;
  }
#endif
  return matmul_kernels().back();
}

}  // namespace

std::span<const MatmulKernel> matmul_kernels() {
  static const std::vector<MatmulKernel> found = found_kernels();
  return found;
}

const MatmulKernel& matmul_kernel() {
  static const MatmulKernel& chosen = chosen_kernel();
  return chosen;
}

}  // namespace kernels
