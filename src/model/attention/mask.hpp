// Masks are additive throughout: 0 keeps a score, −∞ hides it, as float masks are in PyTorch.
#pragma once

#include <span>

#include "ops/operation.hpp"

namespace model {

using tensor::Shape;
using tensor::Tensor;

using ops::hidden;

/// [B,1,1,Lk]: hides the keys past each sample's length. `lengths` are unpadded token counts, one
/// per sample, each ≤ key_len.
Tensor padding_mask(std::span<const std::size_t> lengths, std::size_t key_len);

/// [Lq,Lk]: hides key j from query i where j > i.
Tensor look_ahead_mask(std::size_t query_len, std::size_t key_len);

/// [Lq,Lk]: query i sees its last `window` keys, i − window < j ≤ i, and no others.
Tensor window_mask(std::size_t query_len, std::size_t key_len, std::size_t window);

/// [Lq,Lk]: query i sees the keys j with |i − j| < window, and no others.
Tensor window_mask_both_ways(std::size_t query_len, std::size_t key_len, std::size_t window);

/// Sum of two additive masks whose shapes broadcast to [B,H,Lq,Lk]; an undefined one counts as 0.
/// Axes on which both have length 1 keep it. Undefined if they do not broadcast within `Limits`.
Tensor combine_masks(const Tensor& a, const Tensor& b);

/// A mask [Lq,Lk], [B,Lq,Lk] or [B,H,Lq,Lk], any axis of which may have length 1, as a view of
/// shape [B,H,Lq,Lk]. Undefined if it does not fit.
Tensor expand_mask(const Tensor& mask, const Shape& shape);

}  // namespace model
