// The rows that each mistake puts in the place of those of their names that read the same tensor.
#pragma once

#include "model/tables/multi_head_attention.hpp"

namespace model::tables {

using ops::add_finite, ops::mask_with_zero, ops::product_untransposed, ops::same,
    ops::scores_as_weights, ops::softmax_over_queries, ops::softmax_then_mask,
    ops::softmax_unshifted;

// clang-format off
inline constexpr Row no_transpose[] = {
    {"q_heads",           {B, H, Lq, D},  reshape,              {"q_split"}},
    {"k_heads",           {B, H, Lk, D},  reshape,              {"k_split"}},
    {"v_heads",           {B, H, Lk, D},  reshape,              {"v_split"}},
    {"k_groups",          {B, G, Lk, D},  reshape,              {"k_split"}},
    {"v_groups",          {B, G, Lk, D},  reshape,              {"v_split"}},
    {"merged_split",      {B, Lq, H, D},  reshape,              {"head_outputs"}},
};
inline constexpr Row no_scale[] = {
    {"scaled_scores",     {B, H, Lq, Lk}, same,                 {"scores"}},
};
inline constexpr Row over_queries[] = {
    {"attention_weights", {B, H, Lq, Lk}, softmax_over_queries, {"masked_scores", "mask"}},
};
inline constexpr Row mask_after_softmax[] = {
    {"masked_scores",     {B, H, Lq, Lk}, add_finite,           {"scaled_scores", "mask"}},
    {"attention_weights", {B, H, Lq, Lk}, softmax_then_mask,    {"masked_scores", "mask"}},
};
// Nothing is hidden with 0 instead of −∞, so weights and sums do not read the mask.
inline constexpr Row zero_mask[] = {
    {"masked_scores",     {B, H, Lq, Lk}, mask_with_zero,       {"scaled_scores", "mask"}},
    {"attention_weights", {B, H, Lq, Lk}, softmax,              {"masked_scores"}},
    {"head_outputs",      {B, H, Lq, D},  weighted_sum,         {"attention_weights", "v_heads"}},
};
inline constexpr Row keys_not_transposed[] = {
    {"scores",            {B, H, Lq, Lk}, product_untransposed, {"q_heads", "k_heads"}},
};
inline constexpr Row unshifted[] = {
    {"attention_weights", {B, H, Lq, Lk}, softmax_unshifted,    {"masked_scores", "mask"}},
};
inline constexpr Row no_softmax[] = {
    {"attention_weights", {B, H, Lq, Lk}, scores_as_weights,    {"masked_scores", "mask"}},
};
// clang-format on

}  // namespace model::tables
