// Shared by softmax and the mistakes that change it.
#pragma once

#include "ops/operation.hpp"

namespace ops {

/// What is subtracted from a row before exp; without it exp is ∞ above 88.7, and ∞ / ∞ is NaN.
enum class Shift : unsigned char { largest, nothing };

/// Each row [..,L] → weights that sum to 1; a row of nothing but −∞ gives zeros.
tensor::Tensor softmax_of(const tensor::Tensor& scores, Shift shift = Shift::largest);

/// Likewise with one more score in each row, its sink, that has no column in the result: rows sum
/// to less than 1. `sinks` has the shape of the scores, the same number along each row.
tensor::Tensor softmax_of(const tensor::Tensor& scores, const tensor::Tensor& sinks);

/// Zeros for queries from which the mask, the operand at `place`, hides every key (a score may be
/// NaN). Nothing is done where it is not given.
void clear_hidden_rows(tensor::Tensor& weights, const Use& use, std::size_t place);

/// Each row of weights w with the gradients g that they got → gradients of the scores,
/// w · (g − Σ g·w): the Jacobian of softmax is diag(w) − w·wᵀ.
tensor::Tensor softmax_gradient_of(const tensor::Tensor& weights, const tensor::Tensor& gradients);

/// Explains a cell that softmax_gradient_of made of operands 0 and 1 along `axis`.
void explain_softmax_gradient(const Use& use, std::size_t axis, Explanation& made);

/// Explains a weight that was made of the scores along `axis` of operand 0. Operand 1 is the mask,
/// or the sinks [H], and then operand 2 the mask.
void explain_softmax(const Use& use, std::size_t axis, Explanation& made,
                     Shift shift = Shift::largest);

}  // namespace ops
