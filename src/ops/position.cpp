// The sinusoidal position encoding: "Attention Is All You Need", section 3.5.
#include <cmath>

#include "ops/operation.hpp"

namespace ops {
namespace {

/// 10000^(2i/E) for the columns 2i and 2i + 1.
double divisor_of(std::size_t column, std::size_t embed_dim) {
  const std::size_t even = column - column % 2;
  // Not std::pow: its tables would add 4 kB to the page's download.
  constexpr double logarithm = 9.210340371976182736;  // of 10000
  return std::exp(logarithm * static_cast<double>(even) / static_cast<double>(embed_dim));
}

/// The sine in even columns, the cosine in odd ones. In double, because at position 64 an angle in
/// float is already wrong in its seventh digit.
double wave(std::size_t place, double divisor, std::size_t column) {
  const double angle = static_cast<double>(place) / divisor;
  return column % 2 == 0 ? std::sin(angle) : std::cos(angle);
}

/// [L,E] for tokens [..,L,E]: it depends on their positions only.
tensor::Tensor forward(const Use& use) {
  const std::size_t embed_dim = use.shape[1];
  tensor::Tensor encoding(use.shape);
  float* cells = encoding.mutable_data();
  for (std::size_t column = 0; column < embed_dim; ++column) {
    const double divisor = divisor_of(column, embed_dim);
    for (std::size_t place = 0; place < use.shape[0]; ++place)
      cells[place * embed_dim + column] = static_cast<float>(wave(place, divisor, column));
  }
  return encoding;
}

void explain(const Use& use, Explanation& made) {
  const tensor::Index& at = made.cell.index;
  made.rule = Rule::position;
  made.divisor = divisor_of(at[1], use.shape[1]);
  made.result = wave(at[0], made.divisor, at[1]);
}

}  // namespace

// Positions do not depend on the numbers of the tokens, so these get no gradient.
constinit const Operation position{.name = "position",
                                   .needs = 1,
                                   .forward = forward,
                                   .explain = explain,
                                   .reads_shape_only = true};

}  // namespace ops
