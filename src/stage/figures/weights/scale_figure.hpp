// What the divisor does: the weights of one query for several scales, side by side.
#pragma once

#include "stage/figures/figures.hpp"

namespace stage {

/// Keys go down, scales go across, each with the softmax of the query's row of scores divided that
/// way, on axes from 0 to 1. What the trace hides stays hidden. Click on a scale to choose it.
void put_scale_figure(Stage& stage, const FigureInput& input, const Rect& place);

}  // namespace stage
