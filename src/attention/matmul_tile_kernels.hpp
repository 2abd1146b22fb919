// The kernels for processors that have more than every processor of their kind has. They exist
// where ATTENTION_LIVE_X86_KERNELS is defined: see src/CMakeLists.txt.
#pragma once

#include "attention/matmul_tile.hpp"

namespace attention {

extern const MatmulKernel avx2_kernel;    ///< needs AVX2 and FMA
extern const MatmulKernel avx512_kernel;  ///< needs AVX-512 F

}  // namespace attention
