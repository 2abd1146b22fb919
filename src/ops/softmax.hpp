// Shared by softmax and the mistakes that change it.
#pragma once

#include "ops/operation.hpp"

namespace ops {

/// What is subtracted from a row before exp; without it exp is ∞ above 88.7, and ∞ / ∞ is NaN.
enum class Shift : unsigned char { largest, nothing };

/// Each row [..,L] → weights that sum to 1; a row of nothing but −∞ gives zeros.
tensor::Tensor softmax_of(const tensor::Tensor& scores, Shift shift = Shift::largest);

/// Weights of 0 for queries from which operand 1, the mask, hides every key (a score may be NaN).
void clear_hidden_rows(tensor::Tensor& weights, const Use& use);

/// Explains a weight that was made of the scores along `axis` of operand 0.
void explain_softmax(const Use& use, std::size_t axis, Explanation& made,
                     Shift shift = Shift::largest);

}  // namespace ops
