// x / divisor: "Attention Is All You Need", eq. 1, with √d_k.
#include "ops/operation.hpp"
#include "tensor/rows.hpp"

namespace ops {
namespace {

tensor::Tensor forward(const Use& use) {
  const float divisor = use.constants.divisor;
  return tensor::by_rows(
      [divisor](auto& quotient, const auto& x) { xt::noalias(quotient) = x / divisor; },
      use[0].tensor);
}

void explain(const Use& use, Explanation& made) {
  made.rule = Rule::divided;
  made.terms = {term_of(cell_of(use, 0, made.cell.index))};
  made.divisor = static_cast<double>(use.constants.divisor);
  made.result = made.terms[0].value / made.divisor;
}

}  // namespace

constinit const Operation divide{.name = "divide",
                                 .needs = 1,
                                 .forward = forward,
                                 .explain = explain,
                                 .backward = {{{divide, {Source::d_result}}}},
                                 .reads_constants = true};

}  // namespace ops
