// Activation functions of a feed-forward layer, applied to each number by itself, and their slopes.
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

void explain_slope(double (*slope)(double), const Use& use, Explanation& made) {
  const double x = static_cast<double>(cell_of(use, 0, made.cell.index).value);
  made.rule = Rule::function_gradient;
  made.terms = {term_of(cell_of(use, 1, made.cell.index), cell_of(use, 0, made.cell.index))};
  made.factor = slope(x);
  made.terms[0].value = static_cast<double>(made.terms[0].a.value) * made.factor;
  made.add_up();
}

/// 0 at x = 0, and passed on where x is NaN, as PyTorch.
Tensor relu_gradient_of(const Use& use) {
  return tensor::by_rows([](auto& made, const auto& x,
                            const auto& g) { noalias(made) = xt::where(x <= 0.0F, 0.0F, g); },
                         use[0].tensor, use[1].tensor);
}

void explain_relu_gradient(const Use& use, Explanation& made) {
  explain_slope([](double x) { return x <= 0.0 ? 0.0 : 1.0; }, use, made);
  if (made.factor == 0.0) made.terms[0].value = made.result = 0.0;  // even of NaN
}

/// Φ(x) + x·φ(x).
Tensor gelu_gradient_of(const Use& use) {
  return tensor::by_rows(
      [](auto& made, const auto& x, const auto& g) {
        const float sqrt_half = 0.70710678118654752F;
        const float density = 0.39894228040143268F;  // 1 / √(2π)
        noalias(made) =
            g * (0.5F * (1.0F + xt::erf(x * sqrt_half)) + x * density * xt::exp(x * x * -0.5F));
      },
      use[0].tensor, use[1].tensor);
}

void explain_gelu_gradient(const Use& use, Explanation& made) {
  explain_slope(
      [](double x) {
        const double density = 0.39894228040143268;
        return 0.5 * (1.0 + std::erf(x * std::sqrt(0.5))) + x * density * std::exp(x * x * -0.5);
      },
      use, made);
}

}  // namespace

constinit const Operation relu{
    .name = "relu",
    .needs = 1,
    .forward = relu_of,
    .explain = explain_relu,
    .backward = {{{relu_gradient, {Source::operand0, Source::d_result}}}}};
constinit const Operation gelu{
    .name = "gelu",
    .needs = 1,
    .forward = gelu_of,
    .explain = explain_gelu,
    .backward = {{{gelu_gradient, {Source::operand0, Source::d_result}}}}};
constinit const Operation relu_gradient{.name = "relu_gradient",
                                        .needs = 2,
                                        .forward = relu_gradient_of,
                                        .explain = explain_relu_gradient};
constinit const Operation gelu_gradient{.name = "gelu_gradient",
                                        .needs = 2,
                                        .forward = gelu_gradient_of,
                                        .explain = explain_gelu_gradient};

}  // namespace ops
