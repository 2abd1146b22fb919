// What tells a model where a token stands: the sinusoidal position encoding.
#pragma once

#include <cstddef>

#include "attention/tensor.hpp"

namespace attention {

/// [length,embed_dim]: sin(position / wavelength) in even columns, cos(position / wavelength) in
/// odd ones, where wavelength is `position_divisor` of the column. "Attention Is All You Need"
/// (Vaswani et al., 2017), section 3.5. Where embed_dim is odd the last column is a sine without
/// its cosine.
Tensor position_encoding(std::size_t length, std::size_t embed_dim);

/// 10000^(2i/embed_dim) for the columns 2i and 2i + 1.
double position_divisor(std::size_t column, std::size_t embed_dim);

/// One number of the encoding, before it is rounded to float32.
double position_value(std::size_t position, std::size_t column, std::size_t embed_dim);

}  // namespace attention
