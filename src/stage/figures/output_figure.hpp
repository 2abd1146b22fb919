// What each head put into one cell of the output.
#pragma once

#include "stage/figures/figures.hpp"

namespace stage {

/// One signed bar a head, and one for the bias, that add up to a cell of the output: the chosen
/// one, or the chosen query's first. Each head can be switched off and on.
void put_output(Stage& stage, const FigureInput& input, const Rect& place);

}  // namespace stage
