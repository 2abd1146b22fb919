// How weights are changed by their gradients: the formulas and defaults of torch.optim.
#pragma once

#include <cstddef>
#include <span>

#include "tensor/tensor.hpp"

namespace training {

/// g is a weight's gradient, lr the learning rate.
///   sgd:       w ← w − lr · g
///   momentum:  m ← 0.9 · m + g;  w ← w − lr · m
///   adam:      m ← 0.9 · m + 0.1 · g;  v ← 0.999 · v + 0.001 · g²;
///              w ← w − lr · m̂ / (√v̂ + 10⁻⁸), where m̂ = m / (1 − 0.9ᵗ) and v̂ = v / (1 − 0.999ᵗ)
///              at step t. Kingma and Ba, 2015.
enum class Method : unsigned char { sgd, momentum, adam };

/// A tensor that is learned, and what its method remembers of earlier gradients. Copies share their
/// numbers, so a moment of training can be kept by copying its parameters.
struct Parameter {
  tensor::Tensor value;
  tensor::Tensor mean = {};     ///< m; undefined before the first step, and for sgd
  tensor::Tensor squares = {};  ///< v of adam
};

/// Changes each parameter by its gradient, which has the same shape and any strides; one whose
/// gradient is undefined stays as it is. `number` counts the steps from 1. Gradients that are not
/// finite make weights that are not finite. The new numbers are in new tensors.
void step(Method method, std::span<Parameter> parameters, std::span<const tensor::Tensor> gradients,
          float learning_rate, std::size_t number);

/// The learning rate that grows for `warmup_steps` steps and then decays as 1/√step:
/// E^(−1/2) · min(step^(−1/2), step · warmup_steps^(−3/2)), "Attention Is All You Need",
/// equation 3. All three are at least 1.
float warmup_then_decay(std::size_t step, std::size_t embed_dim, std::size_t warmup_steps);

}  // namespace training
