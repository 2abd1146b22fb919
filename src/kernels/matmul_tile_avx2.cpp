// Compiled with AVX2 enabled (src/CMakeLists.txt); only called on processors that have it.
#ifdef __AVX2__

#include <immintrin.h>

#include "kernels/matmul_tile_body.hpp"

namespace kernels {
namespace {

using Lane = float __attribute__((vector_size(32)));

inline Lane multiply_add(Lane a, Lane b, Lane sum) { return _mm256_fmadd_ps(a, b, sum); }

}  // namespace

// 6 × 16 floats: twelve accumulators, two lanes of b and one of a fit into sixteen registers.
constinit const MatmulKernel avx2_kernel = Tiles<Lane, multiply_add, 2, 6>::kernel("avx2", true);

}  // namespace kernels

#endif
