// Layer normalisation: Ba, Kiros and Hinton, "Layer Normalization", 2016; torch.nn.LayerNorm over
// the last axis.
#pragma once

#include "attention/layers.hpp"

namespace attention {

/// (x − mean) / √(variance + eps) · weight + bias over the last axis. x: [..,E] with norm.weight
/// and norm.bias [E].
Tensor layer_norm(const Tensor& x, const LayerNorm& norm);

}  // namespace attention
