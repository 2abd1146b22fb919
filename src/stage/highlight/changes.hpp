// Finds the cells that show another number than before.
#pragma once

#include <vector>

#include "stage/highlight/sources.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// The cells of `after` whose bits differ from those of the same block in `before`, as ranges: runs
/// in a row, merged where neighbouring rows have equal runs. A block with more than `most` ranges
/// gets one around all of them. Blocks that are new or have another size get none.
std::vector<CellRange> changed_cells(const Stage& before, const Stage& after,
                                     std::size_t most = 64);

}  // namespace stage
