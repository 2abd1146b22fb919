// Compiled for processors with these vectors (src/CMakeLists.txt), and called on no other.
#ifdef __AVX2__

#include "attention/rows_body.hpp"

namespace attention {
namespace {

using Wide = float __attribute__((vector_size(32)));

}  // namespace

constinit const RowKernel avx2_rows = RowLoops<Wide>::kernel("avx2");

}  // namespace attention

#endif
