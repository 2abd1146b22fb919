// What softmax and the mistakes that are made with it share.
#pragma once

#include "ops/operation.hpp"

namespace ops {

/// Each row [..,L] → weights that sum to 1; a row of nothing but −∞ gives zeros.
tensor::Tensor softmax_of(const tensor::Tensor& scores);

/// Zeros for a query that may see no key, by the mask that is operand 1: also where a hidden score
/// is NaN.
void clear_hidden_rows(tensor::Tensor& weights, const Use& use);

/// The explanation of a weight made of the scores along `axis` of operand 0.
void explain_softmax(const Use& use, std::size_t axis, Explanation& made);

}  // namespace ops
