// Activation functions of a feed-forward layer, applied to each number by itself.
#include <cmath>

#include "ops/operation.hpp"
#include "tensor/rows.hpp"

namespace ops {
namespace {

using tensor::Tensor;
using xt::noalias;

void explain_with(double (*function)(double), const Use& use, Explanation& made) {
  made.rule = Rule::function;
  made.terms = {term_of(cell_of(use, 0, made.cell.index))};
  made.terms[0].value = function(made.terms[0].value);
  made.add_up();
}

Tensor relu_of(const Use& use) {
  // Not maximum(x, 0): that would answer 0 for NaN.
  return tensor::by_rows([](auto& y, const auto& x) { noalias(y) = xt::where(x < 0.0F, 0.0F, x); },
                         use[0].tensor);
}

void explain_relu(const Use& use, Explanation& made) {
  explain_with([](double x) { return x < 0.0 ? 0.0 : x; }, use, made);
}

/// x · Φ(x), the exact form with erf (torch.nn.GELU's default).
Tensor gelu_of(const Use& use) {
  return tensor::by_rows(
      [](auto& y, const auto& x) {
        const float sqrt_half = 0.70710678118654752F;
        noalias(y) = x * 0.5F * (1.0F + xt::erf(x * sqrt_half));
      },
      use[0].tensor);
}

void explain_gelu(const Use& use, Explanation& made) {
  explain_with([](double x) { return 0.5 * x * (1.0 + std::erf(x * std::sqrt(0.5))); }, use, made);
}

}  // namespace

constinit const Operation relu{"relu", 1, relu_of, explain_relu};
constinit const Operation gelu{"gelu", 1, gelu_of, explain_gelu};

}  // namespace ops
