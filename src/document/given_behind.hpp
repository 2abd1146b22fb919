// Which numbers a reader can change to change one that is computed.
#pragma once

#include <vector>

#include "document/computed.hpp"

namespace document {

/// Cells that can be edited and that `cell` was computed from, under their canonical addresses. On
/// the way back to them, of each operand one cell is followed: the one with the largest share in
/// the number. The nearest come first, biases last; at most `most`. Empty for a cell that is given
/// itself, or that is not there. Inputs that another attention computes are not
/// followed into that one. A row of attention_weights counts as given where it is set by hand.
std::vector<CellAddress> given_behind(const Computed& computed, const CellAddress& cell,
                                      std::size_t most = 4);

}  // namespace document
