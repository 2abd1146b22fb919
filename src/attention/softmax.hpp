// Softmax over the keys: scores become weights.
#pragma once

#include "attention/tensor.hpp"

namespace attention {

/// exp(x − max) / Σ exp(x − max) over the last axis, in the form that cannot overflow.
///
/// A row of nothing but −∞ gives zeros: there is nothing to attend to (PyTorch 1.13 gives NaN
/// there). A row that holds NaN or +∞ gives NaN throughout, as in PyTorch.
Tensor softmax(const Tensor& x);

}  // namespace attention
