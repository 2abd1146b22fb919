// Numbers as source code: what is copied here runs there, and is the same float32.
#pragma once

#include <string>
#include <string_view>

#include "tensor/tensor.hpp"

namespace files {

/// The shortest decimal that reads back as this float32, also where it goes through a double on the
/// way (as in Python and JavaScript); "inf", "-inf" and "nan".
std::string float_text(float value);

/// A name that Python takes: "cross_attention.q" becomes "cross_attention_q".
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
