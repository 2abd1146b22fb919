// The three attentions of an encoder–decoder in their places, each to be opened.
#pragma once

#include "stage/figures/figures.hpp"

namespace stage {

/// True where there is more than one attention.
bool has_attentions(const FigureInput& input);

/// Encoder self-attention, decoder self-attention and the cross-attention that joins them, with
/// every head's weights, live, and the arrows that say what is handed on. A press on one looks at
/// it. Its blocks are pictures: what is explained are the cells of the attention that is looked at.
void put_attentions(Stage& stage, const FigureInput& input, const Rect& place);

}  // namespace stage
