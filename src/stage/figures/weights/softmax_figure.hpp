// The softmax of one row, close up: subtract the largest, take the exponential, divide by the sum.
#pragma once

#include "stage/figures/figures.hpp"

namespace stage {

/// Keys go down; the masked score, s − max, exp(s − max) and the weight go across, each as the
/// trace has it or as attention::provenance carries the arithmetic out. Rows whose weights were not
/// made this way (every key hidden, set by hand, a mistake) are said to be so.
void put_softmax_figure(Stage& stage, const FigureInput& input, const Rect& place);

}  // namespace stage
