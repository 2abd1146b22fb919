// What an encoder layer adds around its attention: torch.nn.TransformerEncoderLayer.
#pragma once

#include "model/tables/multi_head_attention.hpp"

namespace model::tables {

using ops::layer_norm, ops::relu;

// clang-format off
/// Norm last, as in the paper: norm(x + f(x)).
inline constexpr Row encoder_layer[] = {
    {"input",           {B, L, E}},
    {"self_attention",  {B, L, E}},  // the attention's output
    {"norm1.weight",    {E}},
    {"norm1.bias",      {E}},
    {"linear1.weight",  {F, E}},
    {"linear1.bias",    {F}},
    {"linear2.weight",  {E, F}},
    {"linear2.bias",    {E}},
    {"norm2.weight",    {E}},
    {"norm2.bias",      {E}},
    {"residual1",       {B, L, E},  add,        {"input", "self_attention"}},
    {"normed1",         {B, L, E},  layer_norm, {"residual1", "norm1.weight", "norm1.bias"}},
    {"hidden",          {B, L, F},  product,    {"normed1", "linear1.weight", "linear1.bias"}},
    {"activated",       {B, L, F},  relu,       {"hidden"}},
    {"feed_forward",    {B, L, E},  product,    {"activated", "linear2.weight", "linear2.bias"}},
    {"residual2",       {B, L, E},  add,        {"normed1", "feed_forward"}},
    {"layer_output",    {B, L, E},  layer_norm, {"residual2", "norm2.weight", "norm2.bias"}},
};

/// The rows that differ where the norm comes first: x + f(norm(x)). The attention reads normed1.
inline constexpr Row encoder_layer_norm_first[] = {
    {"normed1",         {B, L, E},  layer_norm, {"input", "norm1.weight", "norm1.bias"}},
    {"normed2",         {B, L, E},  layer_norm, {"residual1", "norm2.weight", "norm2.bias"}},
    {"hidden",          {B, L, F},  product,    {"normed2", "linear1.weight", "linear1.bias"}},
    {"layer_output",    {B, L, E},  add,        {"residual1", "feed_forward"}},
};

/// The input of the first layer where the norm comes first: positions are added here, because the
/// norm reads the sum before the attention does.
inline constexpr Row embedded_input[] = {
    {"token_embedding",   {B, L, E}},
    {"position_encoding", {L, E},    position, {"token_embedding"}},
    {"input",             {B, L, E}, add,      {"token_embedding", "position_encoding"}},
};
// clang-format on

}  // namespace model::tables
