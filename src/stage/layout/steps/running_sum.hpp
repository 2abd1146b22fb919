// The figure that adds up one number of a product, in the corner that row and column leave free.
#pragma once

#include "stage/figures/figures.hpp"

namespace stage {

/// Which cell to add up, how far, and where the figure has room.
struct RunningSum {
  Hit cell;               ///< in the block that shows the product
  float progress = 1.0F;  ///< how far this cell is, 0 (nothing added) … 1 (finished)
  Rect place;
};

/// The cell of `sweep` that is explained at this progress: the one that is made in detail or,
/// before and after those, the first of them or the last one that is there. `rest` where the sweep
/// is over for good: at progress 1. `place` stays empty.
RunningSum explained_by(const Sweep& sweep, const Block& made, const Hit& rest, float progress);

/// Adds a figure to the stage: the sum, and its terms as bars that each lead from the previous
/// partial sum to the next. Numbers are those of model::explain, in double precision. If there is
/// no room for all terms, the smallest share one line.
void put_running_sum(Stage& stage, const FigureInput& input, const RunningSum& sum);

}  // namespace stage
