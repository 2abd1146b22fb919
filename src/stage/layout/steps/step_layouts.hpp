// Layouts for the steps that a flow from left to right would not explain: a table that is cut,
// cards that are dealt, and a row that meets a column.
#pragma once

#include "stage/figures/figures.hpp"
#include "stage/layout/layout.hpp"

namespace stage {

/// The matrices of the view state's step at its progress, in the step's own layout or else in that
/// of lay_out. The bounds do not depend on the progress, so the camera stays still.
Stage lay_out_step(const FigureInput& input, Space space);

/// split: the rows of q (or k, v) as one table. Gaps open at the borders between heads, and
/// brackets name the heads; from then on the table shows q_split. Cells keep their row and size.
/// Where gradients are shown, the gaps close and the table ends as q.
Stage split_table(const FigureInput& input, Space space);

/// transpose: one card [H,D] for each token (with many tokens, for those around the query) and one
/// pile [L,D] for each head.
Stage token_cards(const FigureInput& input, Space space);

/// project, scores, output, and reweight where gradients are shown: the left factor stands on the
/// left, the right factor above, transposed if need be, and the product where their rows and
/// columns cross. The free corner adds up one of the product's numbers. Shows the chosen head where
/// there are several. Requires has_crossing.
Stage crossing(const FigureInput& input, Space space);

/// Whether the step's tensor is a product of tensors that the trace has. False, for example, where
/// there are no weights to multiply with.
bool has_crossing(const FigureInput& input);

/// The length of `count` cells in units of one cell: proportional up to nine, from then on
/// logarithmic, so that even 512 columns stay in the picture.
float extent_in_cells(std::size_t count);

/// The width of a group's caption in logical pixels, with or without its note.
float caption_width(const Group& group, bool note = true);

/// The width of the longest label in logical pixels, at most `most`; 0 where there are no labels.
float labels_width(const WordList& words, float most);

}  // namespace stage
