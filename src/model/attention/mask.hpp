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

/// Sum of two additive masks of any shapes that expand together to [B,H,Lq,Lk]; an undefined one
/// counts as 0. The result keeps axes of length 1 where both had them: it is as small as it can be.
/// Undefined tensor if they do not expand together, or to more cells than an attention may have
/// scores.
Tensor combine_masks(const Tensor& a, const Tensor& b);

/// View of shape [B,H,Lq,Lk] of a mask of shape [Lq,Lk], [B,Lq,Lk], [B,H,Lq,Lk] or any of these
/// with axes of length 1. Undefined tensor if it does not fit.
Tensor expand_mask(const Tensor& mask, const Shape& shape);

}  // namespace model
