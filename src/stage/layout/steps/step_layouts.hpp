// Layouts of their own for the steps that the flow from left to right would not explain: one table
// that is cut, cards that are dealt, a row that meets a column.
#pragma once

#include "stage/figures/figures.hpp"
#include "stage/layout/layout.hpp"

namespace stage {

/// The matrices of the view state's step at its progress: as the step wants them, or else as
/// lay_out has them. The bounds are the same at every progress.
Stage lay_out_step(const FigureInput& input, Space space);

/// split: the rows of q (k, v) in one table. A gap opens at the heads' borders and brackets name
/// the heads; what was q is then q_split. No cell leaves its row, and none changes its size.
Stage split_table(const FigureInput& input, Space space);

/// transpose: a card [H,D] a token (with many tokens: of those around the query), and a pile [L,D]
/// a head.
Stage token_cards(const FigureInput& input, Space space);

/// project, scores, output: what is multiplied from the left stands left, what is multiplied with
/// it above, transposed, and the product where rows and columns cross; in the free corner one of
/// its numbers is added up. For the chosen head where there are several. Needs has_crossing.
Stage crossing(const FigureInput& input, Space space);

/// Whether the step makes its tensor by a product: not without a weight.
bool has_crossing(const FigureInput& input);

/// How much longer a row of `count` cells is than one cell: even up to nine, then growing with the
/// logarithm, so that 512 columns stay in the picture.
float extent_in_cells(std::size_t count);

/// How wide the caption of a group is set, with its note or without.
float caption_width(const Group& group, bool note = true);

/// The longest of the words, as far as a label may reach; 0 where there are none.
float labels_width(const WordList& words, float most);

}  // namespace stage
