// What a decoder layer adds around its two attentions: torch.nn.TransformerDecoderLayer.
#pragma once

#include "model/tables/encoder_layer.hpp"

namespace model::tables {

// clang-format off
/// Norm last, as in the paper: norm(x + f(x)).
inline constexpr Row decoder_layer[] = {
    {"input",           {B, L, E}},
    {"self_attention",  {B, L, E}},  // the self-attention's output
    {"cross_attention", {B, L, E}},  // the cross-attention's
    {"norm1.weight",    {E}},
    {"norm1.bias",      {E}},
    {"norm2.weight",    {E}},
    {"norm2.bias",      {E}},
    {"linear1.weight",  {F, E}},
    {"linear1.bias",    {F}},
    {"linear2.weight",  {E, F}},
    {"linear2.bias",    {E}},
    {"norm3.weight",    {E}},
    {"norm3.bias",      {E}},
    {"residual1",       {B, L, E},  add,        {"input", "self_attention"}},
    {"normed1",         {B, L, E},  layer_norm, {"residual1", "norm1.weight", "norm1.bias"}},
    {"residual2",       {B, L, E},  add,        {"normed1", "cross_attention"}},
    {"normed2",         {B, L, E},  layer_norm, {"residual2", "norm2.weight", "norm2.bias"}},
    {"hidden",          {B, L, F},  product,    {"normed2", "linear1.weight", "linear1.bias"}},
    {"activated",       {B, L, F},  relu,       {"hidden"}},
    {"feed_forward",    {B, L, E},  product,    {"activated", "linear2.weight", "linear2.bias"}},
    {"residual3",       {B, L, E},  add,        {"normed2", "feed_forward"}},
    {"layer_output",    {B, L, E},  layer_norm, {"residual3", "norm3.weight", "norm3.bias"}},
};

/// The rows that differ where the norm comes first: x + f(norm(x)). The self-attention reads
/// normed1, the cross-attention normed2.
inline constexpr Row decoder_layer_norm_first[] = {
    {"normed1",         {B, L, E},  layer_norm, {"input", "norm1.weight", "norm1.bias"}},
    {"normed2",         {B, L, E},  layer_norm, {"residual1", "norm2.weight", "norm2.bias"}},
    {"residual2",       {B, L, E},  add,        {"residual1", "cross_attention"}},
    {"normed3",         {B, L, E},  layer_norm, {"residual2", "norm3.weight", "norm3.bias"}},
    {"hidden",          {B, L, F},  product,    {"normed3", "linear1.weight", "linear1.bias"}},
    {"layer_output",    {B, L, E},  add,        {"residual2", "feed_forward"}},
};
// clang-format on

}  // namespace model::tables
