// a + b: a residual connection, a position, a mask.
#include "ops/operation.hpp"
#include "tensor/rows.hpp"

namespace ops {
namespace {

tensor::Tensor forward(const Use& use) {
  return tensor::by_rows([](auto& sum, const auto& a, const auto& b) { xt::noalias(sum) = a + b; },
                         spread(use[0], use), spread(use[1], use));
}

void explain(const Use& use, Explanation& made) {
  made.rule = Rule::sum;
  made.terms = {term_of(cell_of(use, 0, made.cell.index)),
                term_of(cell_of(use, 1, made.cell.index))};
  made.add_up();
}

}  // namespace

constinit const Operation add{"add", 2, forward, explain};

}  // namespace ops
