// What the twelve steps say. Formulas leave the batch axis out: every sample is computed alike.
#include "lesson/steps/step.hpp"

namespace lesson {
namespace {

using model::TensorId;

// clang-format off
// Split and weighted_values included: the whole way has no gap.
constexpr TensorId overview_tensors[] = {
    "query_input",       "key_input",       "value_input",
    "q",                 "k",               "v",
    "q_split",           "k_split",         "v_split",
    "k_groups",          "v_groups",
    "q_heads",           "k_heads",         "v_heads",
    "scores",            "scaled_scores",   "mask",
    "masked_scores",     "attention_weights",
    "weighted_values",   "head_outputs",
    "merged",            "output"};
// clang-format on
constexpr TensorId input_tensors[] = {"token_embedding", "position_encoding", "query_input",
                                      "key_input", "value_input"};
constexpr TensorId project_tensors[] = {"query_input", "q_proj_weight", "q_proj_bias", "q",
                                        "key_input",   "k_proj_weight", "k_proj_bias", "k",
                                        "value_input", "v_proj_weight", "v_proj_bias", "v"};
constexpr TensorId split_tensors[] = {"q", "k", "v", "q_split", "k_split", "v_split"};
constexpr TensorId transpose_tensors[] = {"q_split", "k_split", "v_split", "k_groups",
                                          "v_groups", "q_heads", "k_heads", "v_heads"};
constexpr TensorId scores_tensors[] = {"q_heads", "k_heads", "scores"};
constexpr TensorId scale_tensors[] = {"scores", "scaled_scores"};
constexpr TensorId mask_tensors[] = {"scaled_scores", "mask", "masked_scores"};
constexpr TensorId softmax_tensors[] = {"masked_scores", "attention_weights"};
constexpr TensorId reweight_tensors[] = {"attention_weights", "v_heads", "weighted_values",
                                         "head_outputs"};
constexpr TensorId merge_tensors[] = {"head_outputs", "merged_split", "merged"};
constexpr TensorId output_tensors[] = {"merged", "out_proj_weight", "out_proj_bias", "output"};

constexpr std::array<Step, step_count> all_steps = {{
    {StepId::overview, "overview", "overview", "The whole computation at a glance",
     "Every token, a word for example, enters as a row of numbers, and leaves as a row that knows "
     "something about the others. In between, attention rewrites each row as a mixture of all "
     "rows; how much of each goes in is worked out from the rows themselves. Multi-head attention "
     "does this several times side by side, in narrow slices called heads, and joins the results. "
     "Every number has just been computed.",
     "output = merge(softmax(Q · Kᵀ / √D + mask) · V) · Wᵀ + b", overview_tensors},

    {StepId::input, "input", "input", "Tokens become rows of numbers",
     "A token is one piece of the input: in a sentence usually a word, in a picture a patch. Each "
     "stands on the table as its embedding: a row of E numbers. Attention alone cannot tell which "
     "token came first, so a second row that depends only on its place, the position encoding, "
     "can be added to it. Self-attention makes queries, keys and values from these same rows; "
     "cross-attention takes its keys and values from another sequence.",
     "query_input = token_embedding + position_encoding", input_tensors},

    {StepId::project, "project", "project", "One row becomes a query, a key and a value",
     "Three linear layers, each a table of weights, turn every input row into three new rows. The "
     "query says what a token looks for, the key what it can be found by, the value what it has "
     "to give. One table of weights serves all heads at once. An example without weights uses the "
     "input itself for all three.",
     "q = query_input · Wᵀ + b,   k and v likewise with their own W and b", project_tensors},

    {StepId::split, "split", "split", "Cut each row into heads",
     "The E numbers of a row are divided into H sections of D = E / H numbers, one section for "
     "each head. No number is computed and none moves: the same run of memory is read with one "
     "axis more, [L,E] as [L,H,D]. From here on each head works with its own section only.",
     "q_split[l, h, d] = q[l, h·D + d]", split_tensors},

    {StepId::transpose, "transpose", "transpose", "Give every head its own table",
     "A head wants a table of its own, with one row per token and D columns. Swapping the token "
     "axis with the head axis gives just that: [L,H,D] is read as [H,L,D]. The numbers stay where "
     "they are in memory; what changes are the strides, the distances from one cell to its "
     "neighbour. Reshaping straight to [H,L,D] without the swap would hand a head numbers that "
     "belong to others.",
     "q_heads[h, l, d] = q_split[l, h, d]", transpose_tensors},

    {StepId::scores, "scores", "scores", "Compare every query with every key",
     "Each head takes the dot product of each query with each key: multiply the two rows number "
     "by number and add up. Rows that point the same way score high, rows that point apart score "
     "low or below zero. The scores form a table with one row per query and one column per key.",
     "scores = q_heads · k_headsᵀ,   scores[i, j] = Σ q_heads[i, d] × k_heads[j, d]",
     scores_tensors},

    {StepId::scale, "scale", "scale", "Keep the scores in a moderate range",
     "A dot product over many numbers tends to be larger than one over few. Dividing by √D, the "
     "square root of a head's width, makes up for that. Without it, wide heads would soon give "
     "almost all weight to a single key. Switch the scale off, or type another divisor, to see "
     "the weights sharpen or flatten.",
     "scaled_scores = scores / √D", scale_tensors},

    {StepId::mask, "mask", "mask", "Hide what must not be seen",
     "The mask is added to the scores: 0 leaves a score as it is, −∞ takes the key out. A padding "
     "mask hides the filler that brings a short sequence up to the length of the longest one. A "
     "look-ahead mask hides every token that comes after the query, so that a decoder cannot peek "
     "at the words it has yet to produce. A query that may see no key at all gets the weight 0 "
     "everywhere.",
     "masked_scores = scaled_scores + mask,   mask = 0 or −∞", mask_tensors},

    {StepId::softmax, "softmax", "softmax", "Turn scores into weights",
     "Softmax raises e to the power of each score and divides by the sum over the row. Every "
     "weight then lies between 0 and 1, and the weights of one query add up to 1. Higher scores "
     "gain more than their share, and a score of −∞ gets exactly 0.",
     "attention_weights[i, j] = exp(masked_scores[i, j]) / Σ exp(masked_scores[i, ·])",
     softmax_tensors},

    {StepId::reweight, "reweight", "reweight", "Mix the values by their weights",
     "Take one query and its row of weights. Multiply each value row by the weight of its key, "
     "then add the products up: a key with a large weight leaves much of its value in the sum, "
     "the others little. This sum is what the head has to say about that token. Every query gets "
     "one, and together they fill the head's output.",
     "head_outputs[i] = Σ attention_weights[i, j] × v_heads[j]", reweight_tensors},

    {StepId::merge, "merge", "merge", "Put the heads side by side again",
     "Merging undoes the split. Token axis and head axis are swapped back, and the H sections of "
     "each token are written one after the other into a row of E numbers. With more than one head "
     "the numbers really move this time: each head's table lies in one piece in memory, and a "
     "merged row collects its cells from all of them.",
     "merged[l, h·D + d] = head_outputs[h, l, d]", merge_tensors},

    {StepId::output, "output", "output", "Let the heads speak to each other",
     "Until now no head has used a number of another. The last linear layer mixes them: each "
     "output number is a weighted sum over the whole merged row. The result has one row per query, "
     "as wide as the input, so that a next layer can start from it. An example without weights "
     "ends with the merged rows.",
     "output = merged · Wᵀ + b", output_tensors},
}};

}  // namespace

std::span<const Step> steps() { return all_steps; }

const Step& step(StepId id) { return all_steps[static_cast<std::size_t>(id)]; }

}  // namespace lesson
