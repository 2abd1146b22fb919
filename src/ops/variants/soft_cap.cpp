// cap · tanh(x / cap): scores stay between −cap and cap, and hardly change while they are small
// ("Gemma 2", 2024, section 2).
#include <cmath>

#include "ops/operation.hpp"
#include "tensor/rows.hpp"

namespace ops {
namespace {

using tensor::Tensor;
using xt::noalias;

Tensor forward(const Use& use) {
  const float cap = use.constants.softcap;
  return tensor::by_rows([cap](auto& y, const auto& x) { noalias(y) = cap * xt::tanh(x / cap); },
                         use[0].tensor);
}

void explain(const Use& use, Explanation& made) {
  const auto cap = static_cast<double>(use.constants.softcap);
  made.rule = Rule::capped;
  made.divisor = cap;
  made.terms = {term_of(cell_of(use, 0, made.cell.index))};
  made.terms[0].value = cap * std::tanh(made.terms[0].value / cap);
  made.add_up();
}

/// d_y · (1 − tanh²(x / cap)).
Tensor gradient(const Use& use) {
  const float cap = use.constants.softcap;
  return tensor::by_rows(
      [cap](auto& made, const auto& x, const auto& g) {
        noalias(made) = xt::tanh(x / cap);
        noalias(made) = g * (1.0F - made) * (1.0F + made);
      },
      use[0].tensor, use[1].tensor);
}

void explain_gradient(const Use& use, Explanation& made) {
  const Cell x = cell_of(use, 0, made.cell.index);
  const double tangent = std::tanh(static_cast<double>(x.value / use.constants.softcap));
  made.rule = Rule::function_gradient;
  made.terms = {term_of(cell_of(use, 1, made.cell.index), x)};
  made.factor = (1.0 - tangent) * (1.0 + tangent);
  made.terms[0].value = static_cast<double>(made.terms[0].a.value) * made.factor;
  made.add_up();
}

}  // namespace

constinit const Operation soft_cap{
    .name = "soft_cap",
    .needs = 1,
    .forward = forward,
    .explain = explain,
    .backward = {{{soft_cap_gradient, {Source::operand0, Source::d_result}}}},
    .reads_constants = true};
constinit const Operation soft_cap_gradient{.name = "soft_cap_gradient",
                                            .needs = 2,
                                            .forward = gradient,
                                            .explain = explain_gradient,
                                            .reads_constants = true};

}  // namespace ops
