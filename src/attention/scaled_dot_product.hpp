// Scores, scale, mask, softmax and reweight in one go, a few queries at a time, so that their
// numbers are still in the cache when the next step wants them.
#pragma once

#include <optional>

#include "attention/marks.hpp"
#include "attention/tensor.hpp"

namespace attention {

/// Where what comes of it goes. A step that is not there passes on the numbers before it: both are
/// the same place.
struct ScaledDotProduct {
  // [B,H,Lq,Lk], contiguous; or null, all four, where only the head outputs are wanted.
  float* scores = nullptr;
  float* scaled_scores = nullptr;
  float* masked_scores = nullptr;
  float* attention_weights = nullptr;
  // Where those are as they should be already, and only the head outputs are wanted: the two that
  // are read. The four are null then.
  const float* given_masked_scores = nullptr;
  const float* given_attention_weights = nullptr;
  // [B,H,Lq,D], the numbers of a row side by side.
  float* head_outputs = nullptr;
  Strides head_output_strides;
};

/// softmax(q · kᵀ / divisor + mask) · v for q_heads [B,H,Lq,D], k_heads and v_heads [B,H,Lk,D],
/// mask [B,H,Lq,Lk] or undefined (Vaswani et al., 2017, equation 1; torch's
/// scaled_dot_product_attention). `rows`: a mark for each of the B·H·Lq queries whose numbers are
/// to be written, or null for all of them.
///
/// To the last bit what the steps of multi_head_attention.cpp give one by one. Values that the mask
/// hides from all of a few queries are not read, if all values are finite (0 times such a value
/// changes no sum) and the products are not small. The divisor is a plain number, not 0; nothing is
/// divided without one. Shapes that do not fit are undefined behaviour: multi_head_attention checks
/// them.
void scaled_dot_product_attention(const Tensor& q_heads, const Tensor& k_heads,
                                  const Tensor& v_heads, std::optional<float> divisor,
                                  const Tensor& mask, const Marks* rows,
                                  const ScaledDotProduct& result);

}  // namespace attention
