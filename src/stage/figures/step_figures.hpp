// The figures that explain the steps: each adds blocks, groups and a Figure to the stage, inside
// `place`.
#pragma once

#include "stage/figures/figures.hpp"

namespace stage {

/// The tokens in a row; arcs from the query to the keys, as wide as the weights, which stand under
/// the words; bands that carry each share into one bar of length 1; the query's row of the input
/// and of the chosen head's output. Keys of another sequence stand in a line of their own. Where
/// there is no room for all keys, those with the smallest weights are counted only. At a progress
/// before the end the arcs, then the bands, are on their way, and the output is the sum of what has
/// come.
void put_sentence(Stage& stage, const FigureInput& input, const Rect& place);

/// How wide the arc of a key is whose weight is `share` of the largest one of the row, where arcs
/// have this height.
float sentence_arc_width(float share, float height);

/// The picture in its colours, cut into its patches; the chosen query's patch is framed, and a
/// press on a patch makes it the query. In the steps that have weights to show, each patch is
/// dimmed the more, the less of the chosen head's weight it has.
void put_picture(Stage& stage, const FigureInput& input, const Rect& place);

/// True where the tokens are patches of a picture.
bool has_picture(const FigureInput& input);

/// True where there is more than one attention.
bool has_attentions(const FigureInput& input);

/// Encoder self-attention, decoder self-attention and the cross-attention that joins them, with
/// every head's weights, live, and the arrows that say what is handed on. A press on one looks at
/// it. Its blocks are pictures: what is explained are the cells of the attention that is looked at.
void put_attentions(Stage& stage, const FigureInput& input, const Rect& place);

/// For the step project, where there is a weight: the chosen head's D rows of the followed
/// projection's weight, the [L,D] that project_head computes from them, and how far that
/// is from the head's columns of the one big product.
void put_by_head(Stage& stage, const FigureInput& input, const Rect& place);

/// False where the followed projection has no weight, or only one head.
bool has_by_head(const FigureInput& input);

/// For the steps split, transpose and merge: the floats of one sample in the order they lie in,
/// each in the hue of the head it belongs to, the chosen cell marked among them; shape and strides
/// before and after, and the address of the chosen cell worked out from both.
/// Merge has two runs: the heads' outputs, and the merged rows they are copied to.
void put_ribbon(Stage& stage, const FigureInput& input, const Rect& place);

/// Whether the floats of a sample are few enough to count from the first one on: transpose then
/// counts to one of them in the order of both tensors' axes, with arcs over and under the memory.
bool has_arcs(const FigureInput& input);

/// The cell that is followed through these steps: the chosen one where it is one of theirs, else
/// the chosen query's first number in the chosen head (in transpose, on the way, the row that is
/// dealt; at rest not the very first float, which there is nothing to count to); nothing in other
/// steps.
std::optional<document::CellRef> followed_cell(const FigureInput& input);

/// Arrows for the view state's query and for every key of its head, the chosen key strong, with its
/// component along the query, its angle and its score in numbers. Click on a tip to choose its key.
/// With two dimensions that are given and not computed, the tips can be dragged.
void put_scores_figure(Stage& stage, const FigureInput& input, const Rect& place);

/// Keys go down, scales go across, each with the softmax of the query's row of scores divided that
/// way, on axes from 0 to 1. What the trace hides stays hidden. Click on a scale to choose it.
void put_scale_figure(Stage& stage, const FigureInput& input, const Rect& place);

/// Keys go down; score, mask, the score scaled and then masked (the trace's masked_scores) and the
/// score masked and then scaled go across. That both are the same is said only where it is so.
void put_mask_figure(Stage& stage, const FigureInput& input, const Rect& place);

/// Keys go down; the masked score, s − max, exp(s − max) and the weight go across, in the course of
/// the progress one after another, each as the trace has it or as model::explain carries the
/// arithmetic out. Rows whose weights were not made this way (every key hidden, set by hand, a
/// mistake) are said to be so.
void put_softmax_figure(Stage& stage, const FigureInput& input, const Rect& place);

/// The weights of the chosen query and head as bars that can be dragged, the head's values with
/// their rows on those of the bars, a lane where a row is scaled by its weight, the products piled
/// up in the column that they belong to, and the query's row of the output. One key after another:
/// its row slides out, is scaled, and lands; the output is empty until the last has landed. Where
/// there is no room for all keys, those with the smallest weights are added together, last; of many
/// columns some are shown, the chosen one among them.
void put_reweight(Stage& stage, const FigureInput& input, const Rect& place);

/// The same sum as a matrix times a vector: the head's values transposed [D,Lk], the query's
/// weights [Lk,1], and their product [D,1].
void put_matrix_vector(Stage& stage, const FigureInput& input, const Rect& place);

/// How many of `keys` have been added at this progress.
std::size_t keys_added(float progress, std::size_t keys);

/// One signed bar a head, and one for the bias, that add up to a cell of the output: the chosen
/// one, or the chosen query's first. Each head can be switched off and on.
void put_output(Stage& stage, const FigureInput& input, const Rect& place);

}  // namespace stage
