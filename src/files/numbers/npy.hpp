// Reads an array as numpy.save writes it:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include <cstddef>
#include <span>

#include "base/error.hpp"
#include "tensor/tensor.hpp"

namespace files {

/// Whether a file begins as .npy files do.
bool is_npy(std::span<const std::byte> file);

/// The numbers as float32, contiguous. Errors: a file that is cut short or longer than its shape
/// says; another dtype than little-endian float16, float32 or float64; more axes than are read.
base::Result<tensor::Tensor> read_npy(std::span<const std::byte> file);

}  // namespace files
