// What lies before and behind the layers of a Transformer that reads and writes tokens: "Attention
// Is All You Need", section 3.4.
#pragma once

#include "model/row.hpp"

namespace model::tables {

using enum ops::Axis;
using ops::add, ops::cross_entropy, ops::dropout, ops::embedding, ops::position, ops::product,
    ops::same;

// clang-format off
/// Tokens, which are numbers from 0, to the numbers that the first layer reads.
inline constexpr Row embedded_tokens[] = {
    {"tokens",             {B, L}},
    {"embedding.weight",   {V, E}},
    {"embedded",           {B, L, E}, embedding,     {"tokens", "embedding.weight"}},
    {"positions",          {L, E},    position,      {"embedded"}},
    {"embedded_tokens",    {B, L, E}, add,           {"embedded", "positions"}},
};
/// The same without positions: the model cannot tell the order of its tokens.
inline constexpr Row without_positions[] = {
    {"embedded_tokens",    {B, L, E}, same,          {"embedded"}},
};

/// A logit for each token of the vocabulary, and how far they are from the right tokens.
inline constexpr Row predicted_tokens[] = {
    {"final",              {B, L, E}},  // what the last layer makes
    {"vocabulary.weight",  {V, E}},
    {"vocabulary.bias",    {V}},
    {"logits",             {B, L, V}, product,       {"final", "vocabulary.weight", "vocabulary.bias"}},
    {"right_tokens",       {B, L}},  // −1: does not count
    {"loss",               {},        cross_entropy, {"logits", "right_tokens"}},
};

/// While training, what each sublayer adds to its input passes through dropout, and so do the
/// embeddings: section 5.4.
inline constexpr Row dropped[] = {
    {"seed_tokens",        {}},
    {"seed_self",          {}},
    {"seed_cross",         {}},
    {"seed_forward",       {}},
    {"dropped_tokens",     {B, L, E}, dropout,       {"embedded_tokens", "seed_tokens"}},
    {"dropped_self",       {B, L, E}, dropout,       {"self_attention", "seed_self"}},
    {"dropped_cross",      {B, L, E}, dropout,       {"cross_attention", "seed_cross"}},
    {"dropped_forward",    {B, L, E}, dropout,       {"feed_forward", "seed_forward"}},
};
// clang-format on

}  // namespace model::tables
