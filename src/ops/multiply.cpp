// a · b, cell by cell: each value times its weight, before they are added up.
#include "ops/operation.hpp"
#include "tensor/rows.hpp"

namespace ops {
namespace {

tensor::Tensor forward(const Use& use) {
  return tensor::by_rows(
      [](auto& product, const auto& a, const auto& b) { xt::noalias(product) = a * b; },
      spread(use[0], use), spread(use[1], use));
}

void explain(const Use& use, Explanation& made) {
  made.rule = Rule::product;
  made.terms = {term_of(cell_of(use, 0, made.cell.index), cell_of(use, 1, made.cell.index))};
  made.add_up();
}

}  // namespace

constinit const Operation multiply{.name = "multiply",
                                   .needs = 2,
                                   .forward = forward,
                                   .explain = explain,
                                   .backward = {{{product, {Source::d_result, Source::operand1}},
                                                 {product, {Source::d_result, Source::operand0}}}}};

}  // namespace ops
