// What one core can do at most: fused multiplications and additions in its widest vectors, in
// registers alone.
#pragma once

namespace bench {

/// Floating-point operations a second, two for each lane of an FMA; the best of some tries now.
/// Measured apart from the engine's own kernels. 0 where it is not known how to ask this processor.
double fma_ceiling();

}  // namespace bench
