#include "attention/embedding.hpp"

#include <cmath>

namespace attention {

double position_divisor(std::size_t column, std::size_t embed_dim) {
  const std::size_t even = column - column % 2;
  // 10000^(even/E). The tables of a std::pow for doubles would be 4 kB of what a page downloads.
  constexpr double logarithm = 9.210340371976182736;  // of 10000
  return std::exp(logarithm * static_cast<double>(even) / static_cast<double>(embed_dim));
}

double position_value(std::size_t position, std::size_t column, std::size_t embed_dim) {
  const double angle = static_cast<double>(position) / position_divisor(column, embed_dim);
  return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

Tensor position_encoding(std::size_t length, std::size_t embed_dim) {
  Tensor encoding({length, embed_dim});
  float* cell = encoding.mutable_data();
  for (std::size_t position = 0; position < length; ++position) {
    for (std::size_t column = 0; column < embed_dim; ++column) {
      // In double: at position 64 a float angle would already be off in its seventh digit.
      *cell++ = static_cast<float>(position_value(position, column, embed_dim));
    }
  }
  return encoding;
}

}  // namespace attention
