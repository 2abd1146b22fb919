// Compiled with AVX-512 enabled (src/CMakeLists.txt); only called on processors that have it.
#ifdef __AVX512F__

#include <immintrin.h>

#include "kernels/matmul_tile_body.hpp"

namespace kernels {
namespace {

using Lane = float __attribute__((vector_size(64)));

inline Lane multiply_add(Lane a, Lane b, Lane sum) { return _mm512_fmadd_ps(a, b, sum); }

inline Lane lane_of(const std::int8_t* whole) {
  // With a mask that takes all: without one GCC 12 warns of the header's own variables.
  constexpr __mmask16 all = 0xFFFF;
  const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(whole));
  return _mm512_maskz_cvtepi32_ps(all, _mm512_maskz_cvtepi8_epi32(all, bytes));
}

}  // namespace

// 12 × 32 floats: 24 accumulators, two lanes of b and one of a fit into 32 registers.
constinit const MatmulKernel avx512_kernel =
    Tiles<Lane, multiply_add, 2, 12, lane_of>::kernel("avx512", true);

}  // namespace kernels

#endif
