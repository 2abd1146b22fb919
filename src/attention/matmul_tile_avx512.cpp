// Compiled for processors with these vectors (src/CMakeLists.txt), and called on no other.
#ifdef __AVX512F__

#include "attention/matmul_tile_body.hpp"
#include "attention/matmul_tile_kernels.hpp"

namespace attention {
namespace {

using Lane = float __attribute__((vector_size(64)));

}  // namespace

// 12 × 32 floats: 24 accumulators, two lanes of b and one of a fit 32 registers.
constinit const MatmulKernel avx512_kernel = Tiles<Lane, 2, 12>::kernel("avx512", true);

}  // namespace attention

#endif
