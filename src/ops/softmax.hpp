// What softmax and the mistakes that are made with it share.
#pragma once

#include "ops/operation.hpp"

namespace ops {

/// Each row [..,L] → weights that sum to 1; a row of nothing but −∞ gives zeros.
tensor::Tensor softmax_of(const tensor::Tensor& scores);

/// The explanation of a weight made of the scores along `axis` of operand 0.
void explain_softmax(const Use& use, std::size_t axis, Explanation& made);

}  // namespace ops
