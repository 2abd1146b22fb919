// The picture whose patches are the tokens, and the weights of the chosen patch over it.
#pragma once

#include "stage/figures/figures.hpp"

namespace stage {

/// The picture in its colours, cut into its patches; the chosen query's patch is framed, and a
/// press on a patch makes it the query. In the steps that have weights to show, each patch is
/// tinted in the chosen head's hue, the more of it the more of the weight it has.
void put_picture(Stage& stage, const FigureInput& input, const Rect& place);

/// True where the tokens are patches of a picture.
bool has_picture(const FigureInput& input);

}  // namespace stage
