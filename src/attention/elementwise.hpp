// Operations that make each cell from the cell at the same place.
#pragma once

#include "attention/tensor.hpp"

namespace attention {

/// a + b. b has a's shape, or expands to it: [E] onto [B,L,E], a mask [Lq,Lk] onto [B,H,Lq,Lk].
/// IEEE holds: a score of +∞ or NaN plus a mask of −∞ is NaN, as in PyTorch.
Tensor add(const Tensor& a, const Tensor& b);

/// x / divisor, cell by cell.
Tensor divide(const Tensor& x, float divisor);

/// max(x, 0); NaN stays NaN.
Tensor relu(const Tensor& x);

/// x·Φ(x) with the exact Φ(x) = (1 + erf(x/√2)) / 2: Hendrycks and Gimpel, 2016; torch.nn.GELU's
/// default.
Tensor gelu(const Tensor& x);

}  // namespace attention
