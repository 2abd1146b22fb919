// Compiled for processors with these vectors (src/CMakeLists.txt), and called on no other.
#ifdef __AVX512F__

#include "attention/rows_body.hpp"

namespace attention {
namespace {

using Wide = float __attribute__((vector_size(64)));

}  // namespace

constinit const RowKernel avx512_rows = RowLoops<Wide>::kernel("avx512");

}  // namespace attention

#endif
