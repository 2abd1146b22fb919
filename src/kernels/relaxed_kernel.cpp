// Where the engine has relaxed SIMD, the module of matmul_tile_relaxed.cpp becomes a part of this
// one: it works in this memory and is called through this table of functions.
#ifdef ATTENTION_LIVE_RELAXED_KERNEL

#include <cstddef>
#include <cstdint>

#include "kernels/matmul_tile_kernels.hpp"
#include "relaxed_kernel_code.hpp"

/// The function's place in the table, or 0: relaxed_kernel.js.
extern "C" std::uintptr_t attention_connect_relaxed_kernel(const unsigned char* code,
                                                           std::size_t length);

namespace kernels {

MultiplyPanel* relaxed_multiply_panel() {
  return reinterpret_cast<MultiplyPanel*>(
      attention_connect_relaxed_kernel(relaxed_kernel_code, sizeof relaxed_kernel_code));
}

}  // namespace kernels

#endif
