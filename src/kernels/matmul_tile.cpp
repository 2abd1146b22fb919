#include "kernels/matmul_tile.hpp"

#include <array>
#include <cstdlib>

#ifdef __aarch64__
#include <arm_neon.h>
#endif

#include "kernels/lanes.hpp"
#include "kernels/matmul_tile_body.hpp"
#include "kernels/matmul_tile_kernels.hpp"

namespace kernels {
namespace {

// 4 × 8 floats: eight accumulators, two lanes of b and one of a fit the sixteen registers of SSE
// and of wasm engines on x86. Larger tiles were slower (6×8, 3×16, 1×32).
#ifdef __aarch64__
constexpr bool fused = true;  // every one of these has FMA
inline f32x4 multiply_add(f32x4 a, f32x4 b, f32x4 sum) { return vfmaq_f32(sum, a, b); }
#else
constexpr bool fused = false;
inline f32x4 multiply_add(f32x4 a, f32x4 b, f32x4 sum) { return sum + a * b; }
#endif
constexpr MatmulKernel portable = Tiles<f32x4, multiply_add, 2, 4>::kernel("portable", fused);

#if defined(ATTENTION_LIVE_X86_KERNELS) || defined(ATTENTION_LIVE_RELAXED_KERNEL)

struct Kernels {
  std::array<MatmulKernel, 3> all{portable};
  std::size_t count = 1;

  Kernels() {
#ifdef ATTENTION_LIVE_X86_KERNELS
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) all[count++] = avx2_kernel;
    if (__builtin_cpu_supports("avx512f")) all[count++] = avx512_kernel;
#else
    constexpr std::size_t columns = relaxed_lanes * width_of<f32x4>;
    if (MultiplyPanel* multiply_panel = relaxed_multiply_panel())
      all[count++] = {"relaxed", true, columns, relaxed_rows, multiply_panel};
#endif
  }
};

const Kernels& kernels() {
  static const Kernels found;
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

std::span<const MatmulKernel> matmul_kernels() { return {kernels().all.data(), kernels().count}; }

const MatmulKernel& matmul_kernel() {
  static const MatmulKernel& chosen = chosen_kernel();
  return chosen;
}

#else

}  // namespace

std::span<const MatmulKernel> matmul_kernels() { return {&portable, 1}; }

const MatmulKernel& matmul_kernel() { return portable; }

#endif

}  // namespace kernels
