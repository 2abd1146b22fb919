// Tensors as Python source code that gives the same float32 numbers.
#pragma once

#include <string>
#include <string_view>

#include "tensor/tensor.hpp"

namespace files {

/// The shortest decimal that reads back as this float32, even by way of a double (as in Python and
/// JavaScript); "inf", "-inf" and "nan".
std::string float_text(float value);

/// A tensor of any shape, defined, as a Python expression: "np.array([0.5], dtype=np.float32)".
std::string numpy_array(const tensor::Tensor& tensor);
/// "torch.tensor([0.5], dtype=torch.float32)"
std::string pytorch_tensor(const tensor::Tensor& tensor);

/// A valid Python name: "cross_attention.q" becomes "cross_attention_q".
std::string identifier(std::string_view name);

/// A tensor of any shape, defined, as Python code that makes a variable of it. `comment` is one
/// line and may be empty.
///   import numpy as np
///
///   # comment
///   name = np.array([
///       [0.5, 0.25],
///   ], dtype=np.float32)
std::string to_numpy(std::string_view name, std::string_view comment, const tensor::Tensor& tensor);
/// The same with torch.tensor([...], dtype=torch.float32).
std::string to_pytorch(std::string_view name, std::string_view comment,
                       const tensor::Tensor& tensor);

}  // namespace files
