// The wrong operations, one function each: what multi_head_attention does instead of the right one
// where that mistake is to be made. See Mistake.
#pragma once

#include <optional>
#include <string>

#include "attention/trace.hpp"

namespace attention {

/// A sentence where this mistake cannot even be computed at these sizes, else nothing.
std::optional<std::string> complaint_about(Mistake mistake, const Config& config);

/// [B,L,H,D] → [B,H,L,D] by shape alone, the numbers in the order in which they lie: a view where
/// the split is contiguous. Head h gets the h-th part of the tokens instead of its columns.
Tensor heads_without_transpose(const Tensor& split);

/// [B,H,Lq,D] → [B,Lq,H,D] by shape alone, likewise. `head_outputs` must be contiguous.
Tensor merged_without_transpose(const Tensor& head_outputs);

/// Softmax along axis 2 of [B,H,Lq,Lk]: each key's column sums to 1. A column of nothing but −∞
/// gives zeros.
Tensor softmax_over_queries(const Tensor& masked_scores);

/// scores + mask where the mask is finite; where it hides, 0 in place of the score.
Tensor mask_with_zero(const Tensor& scaled_scores, const Tensor& mask);

/// scores + mask where the mask is finite; where it hides, the score as it is. The scores
/// themselves where the mask does nothing but hide.
Tensor without_hiding(const Tensor& scaled_scores, const Tensor& mask);

/// Writes 0 over the weights of hidden keys; nothing else changes. `weights` must be contiguous.
void hide_weights(Tensor& weights, const Tensor& mask);

}  // namespace attention
