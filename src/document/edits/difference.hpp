// Where two computations differ, as a tensor that can be drawn.
#pragma once

#include "attention/tensor.hpp"

namespace document {

/// a − b, cell by cell; 0 where both are the same, also where both are −∞ or NaN. Undefined where
/// one of them is undefined or their shapes differ.
attention::Tensor difference(const attention::Tensor& a, const attention::Tensor& b);

}  // namespace document
