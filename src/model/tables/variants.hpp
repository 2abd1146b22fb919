// What later models changed about attention. Each table puts its rows between a tensor and the rows
// that read it (put_between, model/node.hpp); they are there only where the variant is chosen, and
// every other row stays as it is. docs/variants.md has the formulas and where they come from.
//
// A row that is known already closes each table: it says what reads the new rows, and so where
// their names belong.
#pragma once

#include "model/tables/multi_head_attention.hpp"

namespace model::tables {

using ops::alibi, ops::relative_bias, ops::rms_norm, ops::rotate, ops::soft_cap, ops::softmax_with_sinks;

// clang-format off
/// Each head's queries and keys normalised (Qwen3, Gemma 3). The weights are optional.
inline constexpr Row qk_norm[] = {
    {"q_norm_weight", {D}},
    {"k_norm_weight", {D}},
    {"q_normed",      {B, H, Lq, D},  rms_norm, {"q_heads", "q_norm_weight"}},
    {"k_normed",      {B, G, Lk, D},  rms_norm, {"k_groups", "k_norm_weight"}},  // where heads share keys
    {"k_normed",      {B, H, Lk, D},  rms_norm, {"k_heads", "k_norm_weight"}},   // else
    {"scores",        {B, H, Lq, Lk}, product,  {"q_normed", "k_normed"}},
};
/// All numbers of a token normalised at once, before heads are split (OLMo 2).
inline constexpr Row full_qk_norm[] = {
    {"q_norm_weight", {A}},
    {"k_norm_weight", {A}},
    {"q_full_normed", {B, Lq, A},     rms_norm, {"q", "q_norm_weight"}},
    {"k_full_normed", {B, Lk, A},     rms_norm, {"k", "k_norm_weight"}},
    {"q_split",       {B, Lq, H, D},  reshape,  {"q_full_normed"}},
};
/// The same where heads share keys: put before it.
inline constexpr Row full_shared_k_norm[] = {
    {"k_norm_weight", {K}},
    {"k_full_normed", {B, Lk, K},     rms_norm, {"k", "k_norm_weight"}},
};
/// Rotary positions (Llama): queries and keys turned by their place. The frequencies are given
/// where they are not powers of a base.
inline constexpr Row rotary_positions[] = {
    {"rope_frequencies", {P}},
    {"q_rotated",     {B, H, Lq, D},  rotate,   {"q_heads", "rope_frequencies"}},
    {"k_rotated",     {B, G, Lk, D},  rotate,   {"k_groups", "rope_frequencies"}},
    {"k_rotated",     {B, H, Lk, D},  rotate,   {"k_heads", "rope_frequencies"}},
    {"scores",        {B, H, Lq, Lk}, product,  {"q_rotated", "k_rotated"}},
};
/// Scores kept within bounds (Gemma 2).
inline constexpr Row capped_scores[] = {
    {"capped_scores", {B, H, Lq, Lk}, soft_cap, {"scaled_scores"}},
    {"masked_scores", {B, H, Lq, Lk}, add,      {"capped_scores", "mask"}},
};
/// Attention with linear biases: the further away a key, the lower its score.
inline constexpr Row linear_biases[] = {
    {"alibi_bias",    {H, Lq, Lk},    alibi,    {"scaled_scores"}},
    {"biased_scores", {B, H, Lq, Lk}, add,      {"scaled_scores", "alibi_bias"}},
    {"masked_scores", {B, H, Lq, Lk}, add,      {"biased_scores", "mask"}},
};
/// A number of a table for each difference of places (T5, Swin), or all of these numbers given.
inline constexpr Row relative_positions[] = {
    {"position_bias_table", {N, H}},
    {"position_bias", {H, Lq, Lk},    relative_bias, {"position_bias_table"}},
    {"biased_scores", {B, H, Lq, Lk}, add,      {"scaled_scores", "position_bias"}},
    {"masked_scores", {B, H, Lq, Lk}, add,      {"biased_scores", "mask"}},
};
/// Attention sinks (gpt-oss): a number of each head that takes a part of every row's weights.
inline constexpr Row attention_sinks[] = {
    {"sinks",             {H}},
    {"attention_weights", {B, H, Lq, Lk}, softmax_with_sinks, {"masked_scores", "sinks", "mask"}},
};
// clang-format on

}  // namespace model::tables
