// From a row of scores to weights, for each kind of vectors that a processor may have. All give the
// same bits.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "attention/rows.hpp"

namespace attention {

/// A way to compute weigh_row.
struct RowKernel {
  std::string_view name;  ///< that of the MatmulKernel for the same vectors
  std::size_t (*weigh_row)(const ScoreRow& row);
};

/// All that this processor has, `portable` first, the widest last.
std::span<const RowKernel> row_kernels();

// These exist where ATTENTION_LIVE_X86_KERNELS is defined: see src/CMakeLists.txt.
extern const RowKernel avx2_rows;    ///< needs AVX2
extern const RowKernel avx512_rows;  ///< needs AVX-512 F

}  // namespace attention
