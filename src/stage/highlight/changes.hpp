// Which cells show another number than before.
#pragma once

#include <vector>

#include "stage/highlight/sources.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// The cells of `after` whose bits differ from what the same block had in `before`, as ranges: runs
/// in a row, equal runs of neighbouring rows as one. A block with more than `most` of them is one
/// range around all. Blocks that `before` does not have, or in another size, have none.
std::vector<CellRange> changed_cells(const Stage& before, const Stage& after,
                                     std::size_t most = 64);

}  // namespace stage
