// Grouped-query attention (Ainslie et al., 2023): G heads of keys and values, each shared by
// R = H / G heads of queries; with G = 1, multi-query attention (Shazeer, 2019). These rows replace
// those of multi-head attention.
#pragma once

#include "model/tables/multi_head_attention.hpp"

namespace model::tables {

// clang-format off
inline constexpr Row grouped_query_attention[] = {
    {"k_proj_weight", {K, kdim}},
    {"v_proj_weight", {K, vdim}},
    {"k_proj_bias",   {K}},
    {"v_proj_bias",   {K}},
    {"k",             {B, Lk, K},       product, {"key_input", "k_proj_weight", "k_proj_bias"}},
    {"v",             {B, Lk, K},       product, {"value_input", "v_proj_weight", "v_proj_bias"}},
    {"k_split",       {B, Lk, G, D},    reshape, {"k"}},
    {"v_split",       {B, Lk, G, D},    reshape, {"v"}},
    {"k_groups",      {B, G, Lk, D},    permute, {"k_split"}},
    {"v_groups",      {B, G, Lk, D},    permute, {"v_split"}},
    // A view that repeats each group R times, then a copy with a matrix for each query head.
    {"k_shared",      {B, G, R, Lk, D}, permute, {"k_groups"}},
    {"v_shared",      {B, G, R, Lk, D}, permute, {"v_groups"}},
    {"q_heads",       {B, H, Lq, D},    permute, {"q_split"}},  // as ever: new rows come before it
    {"k_heads",       {B, H, Lk, D},    reshape, {"k_shared"}},
    {"v_heads",       {B, H, Lk, D},    reshape, {"v_shared"}},
};
// clang-format on

}  // namespace model::tables
