// One query's row of the mask: what is hidden, and that scale and mask can come in either order.
#pragma once

#include "stage/figures/figures.hpp"

namespace stage {

/// Keys go down; score, mask, the score scaled and then masked (the trace's masked_scores) and the
/// score masked and then scaled go across. That both are the same is said only where it is so.
void put_mask_figure(Stage& stage, const FigureInput& input, const Rect& place);

}  // namespace stage
