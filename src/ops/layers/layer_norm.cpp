// (x − mean) / √(variance + ε) · weight + bias over the numbers of a token; biased variance, as
// torch.nn.LayerNorm.
#include <cmath>

#include "ops/operation.hpp"
#include "tensor/rows.hpp"

namespace ops {
namespace {

using tensor::Index;
using tensor::Tensor;
using xt::noalias;

Tensor forward(const Use& use) {
  const Tensor weight = use[1].tensor.contiguous();
  const Tensor bias = use[2].tensor.contiguous();
  const auto scale = tensor::run(weight.data(), weight.size());
  const auto shift = tensor::run(bias.data(), bias.size());
  const float eps = use.constants.eps;
  return tensor::by_rows(
      [&](auto& y, const auto& x) {
        // Sums run in double, so that the width of a row does not matter.
        const auto mean = static_cast<float>(xt::mean<double>(x)());
        noalias(y) = x - mean;
        const auto variance = static_cast<float>(xt::mean<double>(xt::square(y))());
        const float deviation = std::sqrt(variance + eps);
        noalias(y) = y / deviation * scale + shift;
      },
      use[0].tensor);
}

void explain(const Use& use, Explanation& made) {
  const Index& at = made.cell.index;
  const std::size_t last = at.rank() - 1;
  Index first = at;
  first[last] = 0;
  made.rule = Rule::layer_norm;
  walk(use[0], first, last, [&](const Cell& x) { made.terms.push_back(term_of(x)); });
  const auto count = static_cast<double>(made.terms.size());
  for (const Term& term : made.terms) made.mean += term.value / count;
  double variance = 0.0;
  for (const Term& term : made.terms)
    variance += (term.value - made.mean) * (term.value - made.mean) / count;
  made.divisor = std::sqrt(variance + static_cast<double>(use.constants.eps));
  made.selected = at[last];
  made.weight = cell_of(use, 1, at);
  made.bias = cell_of(use, 2, at);
  made.result = (made.terms[made.selected].value - made.mean) / made.divisor *
                    static_cast<double>(made.weight->value) +
                static_cast<double>(made.bias->value);
}

}  // namespace

constinit const Operation layer_norm{.name = "layer_norm",
                                     .needs = 3,
                                     .forward = forward,
                                     .explain = explain,
                                     .reads_constants = true};

}  // namespace ops
