// Multi-head attention: "Attention Is All You Need" (Vaswani et al., 2017), section 3.2, with
// PyTorch's names and shapes. These rows are the computation: what runs, what is shown and
// explained, and what is computed again after an edit.
#pragma once

#include "model/row.hpp"

namespace model::tables {

using enum ops::Axis;
using ops::add, ops::average, ops::divide, ops::multiply, ops::permute, ops::position, ops::product,
    ops::reshape, ops::softmax, ops::weighted_sum;

// Optional: without token_embedding, query_input is given; without a weight, q, k, v or output is
// its first operand; without a bias or a mask nothing is added.
// clang-format off
inline constexpr Row multi_head_attention[] = {
    // What goes in.
    {"token_embedding",   {B, Lq, E}},
    {"position_encoding", {Lq, E},          position,     {"token_embedding"}},
    {"query_input",       {B, Lq, E},       add,          {"token_embedding", "position_encoding"}},
    {"key_input",         {B, Lk, kdim}},
    {"value_input",       {B, Lk, vdim}},
    {"q_proj_weight",     {A, E}},  // as PyTorch: [out, in]
    {"k_proj_weight",     {A, kdim}},
    {"v_proj_weight",     {A, vdim}},
    {"q_proj_bias",       {A}},
    {"k_proj_bias",       {A}},
    {"v_proj_bias",       {A}},
    {"out_proj_weight",   {E, A}},
    {"out_proj_bias",     {E}},

    // Project: one linear layer each, for all heads at once.
    {"q",                 {B, Lq, A},       product,      {"query_input", "q_proj_weight", "q_proj_bias"}},
    {"k",                 {B, Lk, A},       product,      {"key_input", "k_proj_weight", "k_proj_bias"}},
    {"v",                 {B, Lk, A},       product,      {"value_input", "v_proj_weight", "v_proj_bias"}},

    // Split: head h reads the columns h·D … h·D + D − 1. A view; no number moves.
    {"q_split",           {B, Lq, H, D},    reshape,      {"q"}},
    {"k_split",           {B, Lk, H, D},    reshape,      {"k"}},
    {"v_split",           {B, Lk, H, D},    reshape,      {"v"}},

    // Transpose: heads before tokens, so that each head is a matrix. A view with other strides.
    {"q_heads",           {B, H, Lq, D},    permute,      {"q_split"}},
    {"k_heads",           {B, H, Lk, D},    permute,      {"k_split"}},
    {"v_heads",           {B, H, Lk, D},    permute,      {"v_split"}},

    // Scores: each query with each key. Scaled, and with −∞ added where a key is hidden.
    {"scores",            {B, H, Lq, Lk},   product,      {"q_heads", "k_heads"}},
    {"scaled_scores",     {B, H, Lq, Lk},   divide,       {"scores"}},
    {"mask",              {B, H, Lq, Lk}},
    {"masked_scores",     {B, H, Lq, Lk},   add,          {"scaled_scores", "mask"}},

    // Softmax over the keys: each query's weights sum to 1. Reweight: its sum of the values.
    {"attention_weights", {B, H, Lq, Lk},   softmax,      {"masked_scores", "mask"}},
    {"weighted_values",   {B, H, Lq, Lk, D}, multiply,    {"attention_weights", "v_heads"}, on_demand},
    {"head_outputs",      {B, H, Lq, D},    weighted_sum, {"attention_weights", "v_heads", "mask"}},
    // What the heads have in common, as PyTorch returns it. Nothing is computed with it.
    {"mean_weights",      {B, Lq, Lk},      average,      {"attention_weights"}, on_demand},

    // Merge: tokens before heads again, a view; then the heads side by side, a copy.
    {"merged_split",      {B, Lq, H, D},    permute,      {"head_outputs"}},
    {"merged",            {B, Lq, A},       reshape,      {"merged_split"}},

    // Output: the last linear layer mixes the heads.
    {"output",            {B, Lq, E},       product,      {"merged", "out_proj_weight", "out_proj_bias"}},
};
// clang-format on

}  // namespace model::tables
