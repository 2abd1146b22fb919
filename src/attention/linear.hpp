// A linear layer, as torch.nn.functional.linear.
#pragma once

#include "attention/tensor.hpp"

namespace attention {

/// y = x·Wᵀ + b. x: [..,in]; weight: [out,in]; bias: [out], or undefined for none → [..,out].
Tensor linear(const Tensor& x, const Tensor& weight, const Tensor& bias);

}  // namespace attention
