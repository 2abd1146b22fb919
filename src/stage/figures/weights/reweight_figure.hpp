// One query's mixture: its weights, the values, each value by its weight, and their sum.
#pragma once

#include "stage/figures/figures.hpp"

namespace stage {

/// The weights of the chosen query and head as bars that can be dragged, the head's values and the
/// weighted values with their rows on those of the bars, the sum of the weighted values under them,
/// and, where there is room, the head's output with that query's row. Before the scrub has come to
/// its end only the first keys are added up.
void put_reweight(Stage& stage, const FigureInput& input, const Rect& place);

/// The same sum as a matrix times a vector: the head's values transposed [D,Lk], the query's
/// weights [Lk,1], and their product [D,1].
void put_matrix_vector(Stage& stage, const FigureInput& input, const Rect& place);

/// How many of `keys` have been added at this scrub.
std::size_t keys_added(float scrub, std::size_t keys);

}  // namespace stage
