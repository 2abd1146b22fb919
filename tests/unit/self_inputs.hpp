// What tests of several rooms give to an attention.
#pragma once

#include <utility>

#include "model/tensors.hpp"

/// Self-attention: the same tokens ask, are asked and answer.
inline model::Tensors self_inputs(const tensor::Tensor& x, model::Tensors weights = {},
                                  const tensor::Tensor& mask = {}) {
  weights["query_input"] = weights["key_input"] = weights["value_input"] = x;
  weights["mask"] = mask;
  return weights;
}
