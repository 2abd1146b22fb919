#include "attention/embedding.hpp"

#include <cmath>

namespace attention {
namespace {

double wave(double angle, std::size_t column) {
  return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

}  // namespace

double position_divisor(std::size_t column, std::size_t embed_dim) {
  const std::size_t even = column - column % 2;
  // 10000^(even/E). The tables of a std::pow for doubles would be 4 kB of what a page downloads.
  constexpr double logarithm = 9.210340371976182736;  // of 10000
  return std::exp(logarithm * static_cast<double>(even) / static_cast<double>(embed_dim));
}

double position_value(std::size_t position, std::size_t column, std::size_t embed_dim) {
  return wave(static_cast<double>(position) / position_divisor(column, embed_dim), column);
}

Tensor position_encoding(std::size_t length, std::size_t embed_dim) {
  Tensor encoding({length, embed_dim});
  float* cells = encoding.mutable_data();
  for (std::size_t column = 0; column < embed_dim; ++column) {
    const double divisor = position_divisor(column, embed_dim);
    for (std::size_t position = 0; position < length; ++position) {
      // In double: at position 64 a float angle would already be off in its seventh digit.
      const double angle = static_cast<double>(position) / divisor;
      cells[position * embed_dim + column] = static_cast<float>(wave(angle, column));
    }
  }
  return encoding;
}

}  // namespace attention
