// Where on the stage the cells are that another cell was computed from.
#pragma once

#include <vector>

#include "model/trace.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// A rectangle of cells in one block; both ends are inclusive.
struct CellRange {
  std::size_t block = 0;
  std::size_t first_row = 0;
  std::size_t first_column = 0;
  std::size_t last_row = 0;
  std::size_t last_column = 0;
  /// The block shows gradients; read were the numbers that these belong to.
  bool below = false;
  friend bool operator==(const CellRange&, const CellRange&) = default;
};

/// The area of the range in stage units.
Rect bounds_of(const Stage& stage, const CellRange& range);

/// The sources of an explained cell that are on the stage, as one range for each block that has
/// any. Sources are rows, columns or single cells of a matrix, so their bounding range is exact. A
/// source that is not on the stage under its own name is searched for as the same float in the
/// tensors it is a view of: self-attention shows key_input as query_input, and where q is not
/// shown, q_heads comes from q_split. Where gradients are shown, a number that one was computed
/// with lies below its own gradient.
std::vector<CellRange> sources_on(const Stage& stage, const model::Trace& trace,
                                  const model::Explanation& provenance);

}  // namespace stage
