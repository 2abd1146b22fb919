// The plane of arrows: one query and its keys, and the dot product as a length along the query.
#pragma once

#include "stage/figures/figures.hpp"

namespace stage {

/// Arrows for the look's query and for every key of its head, the chosen key strong, with its
/// component along the query, its angle and its score in numbers. Click on a tip to choose its key.
/// With two dimensions that are given and not computed, the tips can be dragged.
void put_scores_figure(Stage& stage, const FigureInput& input, const Rect& place);

}  // namespace stage
