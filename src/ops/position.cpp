#include "ops/position.hpp"

#include <cmath>

#include "ops/operation.hpp"

namespace ops {
namespace {

using tensor::Tensor;

double wave(double angle, std::size_t column) {
  return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

/// [L,E] for tokens [..,L,E]: it depends on nothing but their places.
Tensor forward(const Use& use) {
  const std::size_t length = use.shape[0];
  const std::size_t embed_dim = use.shape[1];
  Tensor encoding(use.shape);
  float* cells = encoding.mutable_data();
  for (std::size_t column = 0; column < embed_dim; ++column) {
    const double divisor = position_divisor(column, embed_dim);
    for (std::size_t place = 0; place < length; ++place) {
      // In double: at position 64 a float angle would already be off in its seventh digit.
      const double angle = static_cast<double>(place) / divisor;
      cells[place * embed_dim + column] = static_cast<float>(wave(angle, column));
    }
  }
  return encoding;
}

void explain(const Use& use, Explanation& made) {
  const tensor::Index& at = made.cell.index;
  made.rule = Rule::position;
  made.divisor = position_divisor(at[1], use.shape[1]);
  made.result = position_value(at[0], at[1], use.shape[1]);
}

}  // namespace

double position_divisor(std::size_t column, std::size_t embed_dim) {
  const std::size_t even = column - column % 2;
  // 10000^(even/E). The tables of a std::pow for doubles would be 4 kB of what a page downloads.
  constexpr double logarithm = 9.210340371976182736;  // of 10000
  return std::exp(logarithm * static_cast<double>(even) / static_cast<double>(embed_dim));
}

double position_value(std::size_t place, std::size_t column, std::size_t embed_dim) {
  return wave(static_cast<double>(place) / position_divisor(column, embed_dim), column);
}

constinit const Operation position{"position", 1, forward, explain, true};

}  // namespace ops
