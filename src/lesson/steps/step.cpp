// The steps and their texts. Formulas omit the batch axis: every sample is computed alike.
#include "lesson/steps/step.hpp"

#include <algorithm>

namespace lesson {
namespace {

using model::TensorId;

// clang-format off
// With the views and weighted_values, so that the map shows every tensor on the way.
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
constexpr TensorId sentence_tensors[] = {"attention_weights", "v_heads", "head_outputs"};
constexpr TensorId input_tensors[] = {"token_embedding", "position_encoding", "query_input",
                                      "key_input", "value_input"};
constexpr TensorId project_tensors[] = {"query_input", "q_proj_weight", "q_proj_bias", "q",
                                        "key_input",   "k_proj_weight", "k_proj_bias", "k",
                                        "value_input", "v_proj_weight", "v_proj_bias", "v"};
constexpr TensorId split_tensors[] = {"q", "k", "v", "q_split", "k_split", "v_split"};
constexpr TensorId transpose_tensors[] = {"q_split",  "k_split", "v_split", "k_groups",
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
    {StepId::sentence, "sentence", "sentence", "Every word becomes a mixture of all words",
     "Each new vector is a weighted sum over all tokens.",
     "Attention gives each token, a word for example, a new vector: a weighted sum of the "
     "value vectors of all tokens. The arcs show the weights for one token, the query; they "
     "add up to 1. Point at another word to make it the query.",
     "head_outputs[i] = Σ attention_weights[i, j] × v_heads[j]", sentence_tensors},

    {StepId::input, "input", "input", "Tokens become vectors",
     "Each token is a vector; its position can be added.",
     "A token, a word of a sentence or a patch of a picture, is represented by its embedding, "
     "a vector of E numbers. Attention itself ignores the order of the tokens, so a position "
     "encoding, a vector that depends only on the position, can be added. In self-attention, "
     "queries, keys and values all come from these vectors; in cross-attention, keys and "
     "values come from another sequence.",
     "query_input = token_embedding + position_encoding", input_tensors},

    {StepId::project, "project", "project", "Each vector becomes a query, a key and a value",
     "Multiply pairs of numbers, add them up: one new number.",
     "Three linear layers turn every input vector into three new ones: the query describes "
     "what a token is looking for, the key what it can be found by, the value what it passes "
     "on. One weight matrix serves all heads at once. Without weights, the input itself is "
     "used for all three.",
     "q = query_input · Wᵀ + b,   k and v likewise with their own W and b", project_tensors},

    {StepId::split, "split", "split", "Split each vector into heads",
     "E numbers are read as H sections of D; nothing moves.",
     "The E numbers of each vector are divided into H sections of D = E / H numbers, one for "
     "each head. Nothing is computed and nothing moves: the same memory is read with one more "
     "axis, [L, E] as [L, H, D].",
     "q_split[l, h, d] = q[l, h·D + d]", split_tensors},

    {StepId::transpose, "transpose", "transpose", "Give every head its own matrix",
     "Two axes are swapped; in memory nothing moves.",
     "A head needs a matrix of its own: swapping the token and head axes reads [L, H, D] as "
     "[H, L, D]. The numbers stay where they are in memory; only the strides change, the "
     "distances between neighbours along each axis. Reshaping straight to [H, L, D], without "
     "the swap, would give a head numbers of other heads.",
     "q_heads[h, l, d] = q_split[l, h, d]", transpose_tensors},

    {StepId::scores, "scores", "scores", "Compare every query with every key",
     "A score is the dot product of one query and one key.",
     "Each head takes the dot product of each query with each key: multiply the two vectors "
     "number by number and add up the products. Vectors that point the same way have a high "
     "score, opposite ones a negative score.",
     "scores = q_heads · k_headsᵀ,   scores[i, j] = Σ q_heads[i, d] × k_heads[j, d]",
     scores_tensors},

    {StepId::scale, "scale", "scale", "Keep the scores in a moderate range",
     "Undivided, a wide head looks at one key alone.",
     "The more products are added up, the larger the scores: if the numbers have a standard "
     "deviation of 1, the scores have one of √D. Dividing by √D, where D is the width of a "
     "head, brings it back to 1. Without that, the softmax of a wide head saturates: one key "
     "gets nearly all the weight, and the gradient, by which a model learns, vanishes.",
     "scaled_scores = scores / √D", scale_tensors},

    {StepId::mask, "mask", "mask", "Hide what must not be seen",
     "Adding −∞ to a score hides its key.",
     "The mask is added to the scores: 0 leaves a score as it is, −∞ hides the key. A padding "
     "mask hides the padding that fills up short sequences. A look-ahead mask hides all keys "
     "after the query, so that a decoder cannot see the words it has yet to predict. If every "
     "key is hidden, the weights would be 0/0: here they are 0 by definition, in PyTorch NaN.",
     "masked_scores = scaled_scores + mask,   mask = 0 or −∞", mask_tensors},

    {StepId::softmax, "softmax", "softmax", "Turn scores into weights",
     "Each exponential is divided by the sum over its row.",
     "Softmax raises e to the power of each score and divides by the sum over the row: the "
     "weights of a query lie between 0 and 1 and add up to 1. The largest score of the row is "
     "subtracted first: it cancels in the fraction, so no weight changes, and nothing overflows.",
     "attention_weights[i, j] = exp(masked_scores[i, j]) / Σ exp(masked_scores[i, ·])",
     softmax_tensors},

    {StepId::reweight, "reweight", "reweight", "Weight the values and add them up",
     "The larger its weight, the more of a value is added.",
     "Multiply each value vector by the weight of its key: these products are the "
     "weighted_values. Then add them up: a key with a large weight contributes much of its value, "
     "the others little. This weighted sum is the head's output for that query.",
     "head_outputs[i] = Σ attention_weights[i, j] × v_heads[j]", reweight_tensors},

    {StepId::merge, "merge", "merge", "Put the heads side by side again",
     "A merged row collects the numbers of all heads.",
     "Merging undoes the split: the token and head axes are swapped back, and the H sections "
     "of each token are concatenated into one vector of E numbers. With more than one head, "
     "the numbers really are copied this time: a merged row collects them from every head's "
     "matrix.",
     "merged[l, h·D + d] = head_outputs[h, l, d]", merge_tensors},

    {StepId::output, "output", "output", "Mix the heads",
     "Each output number is a weighted sum over a merged row.",
     "So far no head has used a number of another head. The last linear layer, the output "
     "projection, mixes them: each output number is a weighted sum over a whole merged row. "
     "Without weights, the merged rows are the output.",
     "output = merged · Wᵀ + b", output_tensors},

    {StepId::overview, "overview", "map", "The whole computation at a glance",
     "Click a matrix to open it.",
     "Each token enters as a vector and leaves as a weighted sum over all tokens, with weights "
     "computed from the vectors themselves. Multi-head attention does this several times in "
     "parallel, in narrow slices called heads, and joins the results. Click a matrix to go to "
     "the step that makes it; press M to come back.",
     "output = merge(softmax(Q · Kᵀ / √D + mask) · V) · Wᵀ + b", overview_tensors},
}};

}  // namespace

std::span<const Step> steps() { return all_steps; }

const Step& step(StepId id) { return all_steps[static_cast<std::size_t>(id)]; }

StepId step_making(model::TensorId tensor) {
  // The first step that shows a tensor makes it, but for `sentence`, which comes before all others.
  for (const Step& each : all_steps) {
    const auto& shown = each.tensors;
    if (each.id != StepId::sentence && std::find(shown.begin(), shown.end(), tensor) != shown.end())
      return each.id;
  }
  return StepId::overview;
}

}  // namespace lesson
