// Shared by softmax and the mistakes that change it.
#pragma once

#include "ops/operation.hpp"

namespace ops {

/// Each row [..,L] → weights that sum to 1; a row of nothing but −∞ gives zeros.
tensor::Tensor softmax_of(const tensor::Tensor& scores);

/// Weights of 0 for queries from which operand 1, the mask, hides every key (a score may be NaN).
void clear_hidden_rows(tensor::Tensor& weights, const Use& use);

/// Explains a weight that was made of the scores along `axis` of operand 0.
void explain_softmax(const Use& use, std::size_t axis, Explanation& made);

}  // namespace ops
