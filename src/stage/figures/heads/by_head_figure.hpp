// One head's projection by itself: its rows of the weight, and what they alone make of the input.
#pragma once

#include "stage/figures/figures.hpp"

namespace stage {

/// For the step project, where there is a weight: the chosen head's D rows of the followed
/// projection's weight, the [L,D] that attention::project_head computes from them, and how far that
/// is from the head's columns of the one big product.
void put_by_head(Stage& stage, const FigureInput& input, const Rect& place);

/// False where the followed projection has no weight, or only one head.
bool has_by_head(const FigureInput& input);

}  // namespace stage
