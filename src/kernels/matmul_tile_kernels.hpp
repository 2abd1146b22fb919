// The kernels for processors and browsers that have more than every one of their kind has. Which
// of them a build has: src/CMakeLists.txt.
#pragma once

#include "kernels/matmul_tile.hpp"

namespace kernels {

// Where ATTENTION_LIVE_X86_KERNELS is defined.
extern const MatmulKernel avx2_kernel;    ///< needs AVX2 and FMA
extern const MatmulKernel avx512_kernel;  ///< needs AVX-512 F

// Relaxed SIMD, where ATTENTION_LIVE_RELAXED_KERNEL is defined: 6 × 8 floats: twelve accumulators,
// two lanes of b and one of a fit sixteen registers, since multiply and add in one instruction
// needs none for the product between.
inline constexpr std::size_t relaxed_lanes = 2;
inline constexpr std::size_t relaxed_rows = 6;
/// Connects the kernel's module with this one. Null where the engine does not take it.
MultiplyPanel* relaxed_multiply_panel();

}  // namespace kernels
