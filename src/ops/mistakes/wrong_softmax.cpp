// The softmax taken wrongly on purpose.
#include "ops/softmax.hpp"

#include <utility>

#include "tensor/rows.hpp"

namespace ops {
namespace {

using tensor::Tensor;
using xt::noalias;

// Along the queries: each key's column sums to 1, rows do not.
Tensor over_queries(const Use& use) {
  const Tensor columns = use[0].tensor.transpose(2, 3).contiguous();
  Tensor weights = softmax_of(columns).transpose(2, 3).clone();
  clear_hidden_rows(weights, use, 1);
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
  clear_hidden_rows(weights, use, 1);
  return weights;
}

void explain_unshifted(const Use& use, Explanation& made) {
  explain_softmax(use, made.cell.index.rank() - 1, made, Shift::nothing);
}

// Gradients of scores: scores, the gradient of the weights, mask. The weights are computed again,
// because what softmax gave is not what is in the trace: a row that was set by hand, or a hidden
// key's weight, has no gradient of its own but took its part of a column or a row all the same.

/// The use with the softmax's own weights in the place of scores, and with gradients of 0 where its
/// weights were written over.
Use with_weights(const Use& use, Tensor weights, Tensor gradients) {
  Use made = use;
  made.operands[0].tensor = std::move(weights);
  made.operands[1].tensor = std::move(gradients);
  return made;
}

/// The weights that are meant are no tensor of the trace, so no term names them.
void name_gradients_alone(const Use& use, Explanation& made) {
  for (Term& term : made.terms) {
    term.has_b = false;
    term.a.value = use[1].tensor.at(term.a.index);
  }
}

Use over_queries_before_clearing(const Use& use) {
  Tensor gradients = use[1].tensor;
  if (use.count > 2) {
    gradients = gradients.clone();
    clear_hidden_rows(gradients, use, 2);
  }
  const Tensor columns = use[0].tensor.transpose(2, 3).contiguous();
  return with_weights(use, softmax_of(columns).transpose(2, 3), std::move(gradients));
}

Tensor over_queries_gradient(const Use& use) {
  const Use all = over_queries_before_clearing(use);
  return softmax_gradient_of(all[0].tensor.transpose(2, 3).contiguous(),
                             all[1].tensor.transpose(2, 3).contiguous())
      .transpose(2, 3)
      .clone();
}

void explain_over_queries_gradient(const Use& use, Explanation& made) {
  explain_softmax_gradient(over_queries_before_clearing(use), 2, made);
  name_gradients_alone(use, made);
}

Use then_mask_before_clearing(const Use& use) {
  Tensor weights = softmax_of(use[0].tensor);
  if (use.count < 3) return with_weights(use, std::move(weights), use[1].tensor);
  return with_weights(use, std::move(weights),
                      tensor::by_rows(
                          [](auto& seen, const auto& g, const auto& mask) {
                            noalias(seen) = xt::where(xt::equal(mask, hidden), 0.0F, g);
                          },
                          use[1].tensor, spread(use[2], use)));
}

Tensor then_mask_gradient(const Use& use) {
  const Use all = then_mask_before_clearing(use);
  return softmax_gradient_of(all[0].tensor, all[1].tensor);
}

void explain_then_mask_gradient(const Use& use, Explanation& made) {
  explain_softmax_gradient(then_mask_before_clearing(use), made.cell.index.rank() - 1, made);
  name_gradients_alone(use, made);
}

constinit const Operation gradient_over_queries{.name = "gradient_over_queries",
                                                .needs = 2,
                                                .forward = over_queries_gradient,
                                                .explain = explain_over_queries_gradient};
constinit const Operation gradient_then_mask{.name = "gradient_then_mask",
                                             .needs = 2,
                                             .forward = then_mask_gradient,
                                             .explain = explain_then_mask_gradient};
constexpr std::initializer_list<Source> of_scores = {Source::operand0, Source::d_result,
                                                     Source::operand1};

}  // namespace

constinit const Operation softmax_over_queries{.name = "softmax_over_queries",
                                               .needs = 1,
                                               .forward = over_queries,
                                               .explain = explain_over_queries,
                                               .backward = {{{gradient_over_queries, of_scores}}}};
constinit const Operation softmax_then_mask{.name = "softmax_then_mask",
                                            .needs = 1,
                                            .forward = then_mask,
                                            .explain = explain_then_mask,
                                            .backward = {{{gradient_then_mask, of_scores}}}};
constinit const Operation softmax_unshifted{
    .name = "softmax_unshifted",
    .needs = 1,
    .forward = unshifted,
    .explain = explain_unshifted,
    .backward = {{{softmax_gradient, {Source::result, Source::d_result, Source::operand1}}}}};

}  // namespace ops
