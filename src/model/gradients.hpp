// Gradients as rows: the chain rule, applied to the rows of a model from its loss back.
#pragma once

#include <functional>
#include <vector>

#include "model/part.hpp"

namespace model {

/// Adds half the squared distance between `output` of the part at `part` and `target`, which must
/// have its shape: the rows target, difference and loss.
void add_squared_distance(Model& model, std::size_t part, TensorId output, tensor::Tensor target);

/// The same, where the target is `output` itself but for `cells` of it that should be other
/// numbers: pins on the tensor "target". The other cells of the difference are 0.
void add_squared_distance(Model& model, std::size_t part, TensorId output,
                          const std::vector<Pin>& cells);

/// Adds a row for the gradient of `loss`, one number that the part at `part` computes, with respect
/// to each tensor that it depends on, given ones included: d_scores has the shape and the letters
/// of scores. `compute` then computes them with everything else.
///
/// A tensor that several rows or parts read gets a part of its gradient from each, and a row that
/// adds them up. A tensor that is given under several names (self-attention: query_input, key_input
/// and value_input) has a gradient under each, and their sum is that of the tensor. Numbers that
/// were set by hand and heads that are switched off pass no gradient on.
void add_gradients(Model& model, std::size_t part, TensorId loss);

/// Whether the gradient of a given tensor of this part is wanted.
using Wanted = std::function<bool(const Trace& part, TensorId given)>;

/// The same for the given tensors that are wanted, and for what is computed from them: what learns
/// needs no gradients of inputs and masks, which are a part of the work.
void add_gradients(Model& model, std::size_t part, TensorId loss, const Wanted& wanted);

}  // namespace model
