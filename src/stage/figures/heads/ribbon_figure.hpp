// The memory ribbon: the one run of floats that split, transpose and merge read in other orders.
#pragma once

#include "stage/figures/figures.hpp"

namespace stage {

/// For the steps split, transpose and merge: the floats of one sample in the order they lie in,
/// each in the hue of the head it belongs to, the chosen cell marked among them; shape and strides
/// before and after, and the address of the chosen cell worked out from both.
/// Merge has two runs: the heads' outputs, and the merged rows they are copied to.
void put_ribbon(Stage& stage, const FigureInput& input, const Rect& place);

/// The cell that is followed through these steps: the chosen one where it is one of theirs, else
/// the chosen query's first number in the chosen head; nothing in other steps.
std::optional<document::CellRef> followed_cell(const FigureInput& input);

}  // namespace stage
