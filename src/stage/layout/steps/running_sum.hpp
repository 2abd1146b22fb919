// How one number of a product is added up: in the corner that row and column leave free.
#pragma once

#include "stage/figures/figures.hpp"

namespace stage {

/// Which cell is added up, how far, and where there is room to show it.
struct RunningSum {
  Hit cell;               ///< of the block on the stage that shows the product
  float progress = 1.0F;  ///< of this cell: 0 nothing has been added, 1 the number is there
  Rect place;
};

/// Adds a figure to the stage: the terms of the sum, each a bar from the sum before it to the sum
/// after it, and the sum. Terms and sums are those of model::explain, in double. Where there is no
/// room for all terms, the last ones are one line.
void put_running_sum(Stage& stage, const FigureInput& input, const RunningSum& sum);

}  // namespace stage
