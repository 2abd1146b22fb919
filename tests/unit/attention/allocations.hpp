// How often memory was asked for: what must not happen where time counts.
#pragma once

#include <cstddef>

namespace attention::test {

/// How often this program has called `new` so far, whatever for.
std::size_t allocations();

}  // namespace attention::test
