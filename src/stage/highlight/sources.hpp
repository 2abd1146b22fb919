// Explanation on the stage: where the cells that made a cell lie.
#pragma once

#include <vector>

#include "model/trace.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// A rectangle of cells in one block.
struct CellRange {
  std::size_t block = 0;
  std::size_t first_row = 0;
  std::size_t first_column = 0;
  std::size_t last_row = 0;
  std::size_t last_column = 0;
  friend bool operator==(const CellRange&, const CellRange&) = default;
};

/// Where the range lies, in stage units.
Rect bounds_of(const Stage& stage, const CellRange& range);

/// The source cells of a provenance that are on the stage, one range for each block that has some.
/// Sources are rows, columns or single cells of a matrix, so their bounding range is exactly them.
/// A source that the stage does not show under its own name is looked for as the same float in the
/// tensor that it is a view of, or that lies between: key_input of self-attention is drawn as
/// query_input, and where q is not drawn, q_heads comes from q_split.
std::vector<CellRange> sources_on(const Stage& stage, const model::Trace& trace,
                                  const model::Explanation& provenance);

}  // namespace stage
