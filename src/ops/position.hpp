// The sinusoidal position encoding: "Attention Is All You Need", section 3.5.
#pragma once

#include <cstddef>

namespace ops {

/// 10000^(2i/E) for the columns 2i and 2i + 1.
double position_divisor(std::size_t column, std::size_t embed_dim);

/// sin(place / divisor) in even columns, cos in odd ones, for the token at that place.
double position_value(std::size_t place, std::size_t column, std::size_t embed_dim);

}  // namespace ops
