// The figures that explain the steps. Each function adds blocks, groups and a Figure to the stage,
// all inside `place`.
#pragma once

#include "stage/figures/figures.hpp"

namespace stage {

/// sentence: the tokens in a row with their weights below, and arcs from the query to the keys that
/// are as wide as the weights. Bands carry each share into a bar of length 1. Below are the query's
/// rows of the input and of the chosen head's output. Keys of another sequence get a line of their
/// own. If not all keys fit, those with the smallest weights are only counted. During the step,
/// first the arcs and then the bands are drawn, and the output is the sum over the keys that have
/// arrived.
void put_sentence(Stage& stage, const FigureInput& input, const Rect& place);

/// Whether the loss depends on the chosen attention's weights and values through their products
/// alone, and the reader may see how.
bool has_sentence_gradient(const FigureInput& input);

/// sentence, backward: the words, arcs and weights as put_sentence has them; below them each key's
/// d_attention_weights and a column with its value v_heads; on the right the query's d_head_outputs
/// as a column. From the last key to the first, an arc grows and the products of the two columns
/// are added up to the weight's gradient. Then the columns become d_v_heads: query after query,
/// each whose gradient is not 0 sends its share, weight × d_head_outputs, along its arcs. If not
/// all numbers of a head fit, the first ones are shown.
void put_sentence_gradient(Stage& stage, const FigureInput& input, const Rect& place);

/// Of many arcs, none is narrowed more than this; they lie on each other then.
inline constexpr float sentence_arc_narrowest = 0.25F;

/// The width of a key's arc, for arcs of this height. `share`: its weight as a share of the row's
/// largest; `narrowed`: 1, or less where arcs are so many that they have no room side by side.
float sentence_arc_width(float share, float height, float narrowed = 1.0F);

/// Whether the gradient of the input is a sum of what comes back through several tensors, and the
/// reader may see so.
bool has_gathering(const FigureInput& input);

/// input, backward: a matrix for each tensor that the gradient comes back through (q, k and v). Row
/// by row they arrive in the sum, on the left or else above, and are added up there.
void put_gathering(Stage& stage, const FigureInput& input, const Rect& place);

/// The picture in its colours, cut into patches. The chosen query's patch is framed, and a click on
/// a patch makes it the query. In steps that have weights, patches fade towards the page's colour
/// where the chosen head gives them little weight.
void put_picture(Stage& stage, const FigureInput& input, const Rect& place);

/// sentence, where the tokens are patches: the picture as put_picture draws it, with an arc from
/// every patch that gives a visible share to the query's patch. Beside it are the query's patch
/// before and after as pixels: its row of query_input, and its row of all heads' outputs. Below are
/// the rows as put_sentence has them. During the step the arcs are drawn, then the patch after is
/// the sum over the patches that have arrived.
void put_picture_sentence(Stage& stage, const FigureInput& input, const Rect& place);

/// Whether the tokens are patches of a picture.
bool has_picture(const FigureInput& input);

/// Whether there is more than one attention.
bool has_attentions(const FigureInput& input);

/// Encoder self-attention, decoder self-attention and cross-attention, each with all heads' current
/// weights, and arrows for what is handed on. A click chooses an attention. The blocks are pictures
/// only: only cells of the chosen attention can be explained.
void put_attentions(Stage& stage, const FigureInput& input, const Rect& place);

/// Whether there are encoder and decoder layers, each with attentions of its own.
bool has_all_heads(const FigureInput& input);

/// overview: a small picture of every head's weights, layers × heads in a grid for each kind of
/// attention, beside it what the head measurably does (pattern_of), and the chosen one
/// large. A click chooses a head. Where there is only room for one grid, it is the chosen
/// attention's. The small ones are pictures only, as in put_attentions. Where they have no room
/// side by side, either the grid is there or the chosen head is, with a way back.
void put_all_heads(Stage& stage, const FigureInput& input, const Rect& place);

/// Whether put_all_heads shows the chosen head in the place of the grid.
bool shows_one_head(const document::ViewState& view_state, const Rect& place);

/// project: the chosen head's D rows of the chosen projection's weight, the [L,D] that project_head
/// computes from them, and the largest difference from the head's columns of the whole product.
void put_by_head(Stage& stage, const FigureInput& input, const Rect& place);

/// Whether the chosen projection has a weight and more than one head, as put_by_head needs.
bool has_by_head(const FigureInput& input);

/// Whether tokens can come one by one: a self-attention in which no query sees a later key.
bool has_cache(const FigureInput& input);

/// project, as a decoder computes it with a key/value cache: the chosen head's keys and values of
/// the tokens up to the chosen query, which are kept, with room for those to come; their bytes; and
/// a bar for each token, its multiplications with and without the cache. A click on a bar chooses
/// its token.
void put_cache_figure(Stage& stage, const FigureInput& input, const Rect& place);

/// split, transpose and merge: the floats of one sample in storage order, each with its head's hue,
/// and the chosen cell marked. Below are shape and strides before and after, and the cell's address
/// computed from them. Merge has two runs: the heads' outputs and the merged rows that they are
/// copied to. Transpose draws arcs that count to the marked float in the order of both tensors'
/// axes, above and below the run or, where it is only a part of the memory, a bar of all floats to
/// scale.
void put_ribbon(Stage& stage, const FigureInput& input, const Rect& place);

/// Whether a sample has so few floats that the figure of transpose shows all of them as cells.
bool runs_through_all(const FigureInput& input);

/// scores: arrows for the query and for every key of the chosen head. The chosen key stands out,
/// with its component along the query and its angle and score in numbers. A click on a tip chooses
/// its key. Tips can be dragged if head_dim is 2 and q and k are given, not computed.
void put_scores_figure(Stage& stage, const FigureInput& input, const Rect& place);

/// Whether queries are turned by their positions.
bool has_rotation(const FigureInput& input);

/// scores, with rotary positions: each pair of numbers of the chosen head's query as an arrow,
/// before and after it is turned, with its angle and its numbers. If not all pairs fit, the first
/// ones are shown, which turn fastest.
void put_rotation_figure(Stage& stage, const FigureInput& input, const Rect& place);

/// scale: one row per key and one column per scale, with the softmax of the query's scores under
/// that scale as bars from 0 to 1. Masked keys stay masked. A click chooses a scale.
void put_scale_figure(Stage& stage, const FigureInput& input, const Rect& place);

/// mask: one row per key, with the columns score, mask, scaled then masked (the trace's
/// masked_scores), and masked then scaled. It says that the last two are equal only if they are.
void put_mask_figure(Stage& stage, const FigureInput& input, const Rect& place);

/// Whether the distance of query and key is taken from scores.
bool has_alibi(const FigureInput& input);

/// mask, with ALiBi: the bias as a line over the distance of query and key, one line for each head
/// with its slope. On the chosen head's line are the keys of the chosen query, the chosen key in
/// numbers. A click on a key chooses it.
void put_alibi_figure(Stage& stage, const FigureInput& input, const Rect& place);

/// softmax: one row per key, with the columns masked score, s − max, exp(s − max) and weight, which
/// appear one after another. The numbers come from the trace or from model::explain. A note says so
/// if the weights came about in another way (all keys masked, set by hand, a mistake).
void put_softmax_figure(Stage& stage, const FigureInput& input, const Rect& place);

/// softmax, backward: one row per key, with the columns d_weight, d_weight − mean, weight p and
/// d_score = p × (d_weight − mean), where mean = Σ p × d_weight. Below is p(1 − p), by which the
/// row's largest weight follows its score, with the present scale, with √D and without any: it is 0
/// where the weight is 1. The products are added up one after another, then the gradients appear.
void put_softmax_gradient(Stage& stage, const FigureInput& input, const Rect& place);

/// Whether the loss depends on the scores through the weights, and the reader may see how.
bool has_softmax_gradient(const FigureInput& input);

/// reweight: the weights of the chosen query and head as bars that can be dragged, next to the
/// head's values; a lane where one row is multiplied by its weight; the products, piled up by
/// column; and the query's row of the output. Key by key, a row slides out, is scaled and lands;
/// the output stays empty until the last one has landed. If not all keys fit, those with the
/// smallest weights are added together at the end. Of many columns some are shown, including the
/// chosen one.
void put_reweight(Stage& stage, const FigureInput& input, const Rect& place);

/// The same sum as a matrix times a vector: the head's values, transposed [D,Lk], the query's
/// weights [Lk,1], and their product [D,1].
void put_matrix_vector(Stage& stage, const FigureInput& input, const Rect& place);

/// How many of `keys` have been added at this progress.
std::size_t keys_added(float progress, std::size_t keys);

/// output: one signed bar for each head and one for the bias, which add up to a cell of the output
/// (the chosen one, or the chosen query's first). Each head can be switched off and on.
void put_output(Stage& stage, const FigureInput& input, const Rect& place);

}  // namespace stage
