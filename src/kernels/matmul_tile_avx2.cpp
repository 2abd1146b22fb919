// Compiled with AVX2 enabled (src/CMakeLists.txt); only called on processors that have it.
#ifdef __AVX2__

#include <immintrin.h>

#include "kernels/matmul_tile_body.hpp"

namespace kernels {
namespace {

using Lane = float __attribute__((vector_size(32)));

inline Lane multiply_add(Lane a, Lane b, Lane sum) { return _mm256_fmadd_ps(a, b, sum); }

inline Lane lane_of(const std::int8_t* whole) {
  return _mm256_cvtepi32_ps(
      _mm256_cvtepi8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(whole))));
}

}  // namespace

// 6 × 16 floats: twelve accumulators, two lanes of b and one of a fit into sixteen registers.
constinit const MatmulKernel avx2_kernel =
    Tiles<Lane, multiply_add, 2, 6, lane_of>::kernel("avx2", true);

}  // namespace kernels

#endif
