// The softmax taken wrongly on purpose.
#include "ops/softmax.hpp"

#include "tensor/rows.hpp"

namespace ops {
namespace {

using tensor::Tensor;
using xt::noalias;

// Along the queries: each key's column sums to 1, rows do not.
Tensor over_queries(const Use& use) {
  const Tensor columns = use[0].tensor.transpose(2, 3).contiguous();
  Tensor weights = softmax_of(columns).transpose(2, 3).clone();
  clear_hidden_rows(weights, use);
  return weights;
}

void explain_over_queries(const Use& use, Explanation& made) { explain_softmax(use, 2, made); }

// Every key is weighed; the weights of hidden keys become 0 afterwards and nothing makes up for
// them: rows sum to less than 1.
Tensor then_mask(const Use& use) {
  Tensor weights = softmax_of(use[0].tensor);
  if (use.count < 2) return weights;
  return tensor::by_rows(
      [](auto& left, const auto& row, const auto& mask) {
        noalias(left) = xt::where(xt::equal(mask, hidden), 0.0F, row);
      },
      weights, spread(use[1], use));
}

void explain_then_mask(const Use& use, Explanation& made) {
  softmax.explain(use, made);
  if (use.count < 2 || made.rule == Rule::fully_masked) return;
  if (cell_of(use, 1, made.cell.index).value == hidden) made.overwrite(Rule::overwritten);
}

Tensor unshifted(const Use& use) {
  Tensor weights = softmax_of(use[0].tensor, Shift::nothing);
  clear_hidden_rows(weights, use);
  return weights;
}

void explain_unshifted(const Use& use, Explanation& made) {
  explain_softmax(use, made.cell.index.rank() - 1, made, Shift::nothing);
}

}  // namespace

constinit const Operation softmax_over_queries{"softmax_over_queries", 1, over_queries,
                                               explain_over_queries};
constinit const Operation softmax_then_mask{"softmax_then_mask", 1, then_mask, explain_then_mask};
constinit const Operation softmax_unshifted{"softmax_unshifted", 1, unshifted, explain_unshifted};

}  // namespace ops
