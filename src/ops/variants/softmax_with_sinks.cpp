// A softmax whose denominator holds one exponential more than there are keys: that of the head's
// sink, a number that is learned (gpt-oss, 2025; with 0, "Attention Is Off By One", Miller, 2023).
// What falls to it reaches no value, so a head can look at nothing. And the gradient of the sinks.
#include <cmath>

#include "ops/softmax.hpp"

namespace ops {
namespace {

using tensor::Index;
using tensor::Tensor;

Tensor forward(const Use& use) {
  const Tensor sinks = spread(use[1], use);
  Tensor weights = softmax_of(use[0].tensor, sinks);
  clear_hidden_rows(weights, use, 2);
  return weights;
}

void explain(const Use& use, Explanation& made) {
  explain_softmax(use, made.cell.index.rank() - 1, made);
}

/// Along the row of weights [B,H,Lq,Lk] at [b,h,query]: what the sink got, and Σ weight · gradient.
struct SinkShare {
  double of_sink = 1.0;
  double pulled = 0.0;
};

SinkShare share_of(const Use& use, Index row) {
  SinkShare share;
  const std::size_t last = row.rank() - 1;
  row[last] = 0;
  walk(use[0], row, last, [&](const Cell& weight) {
    const auto number = static_cast<double>(weight.value);
    share.of_sink -= number;
    share.pulled += number * static_cast<double>(use[1].tensor.at(weight.index));
  });
  return share;
}

/// Calls `visit([b,h,query,0])` for each row of the weights of a head.
template <typename Visit>
void for_each_row(const Use& use, std::size_t head, Visit visit) {
  tensor::Shape rows = use[0].tensor.shape();
  rows[rows.rank() - 1] = 1;
  Index at = Index::filled(rows.rank(), 0);
  do {
    if (at[1] == head) visit(at);
  } while (next_index(at, rows));
}

/// Operands: weights [B,H,Lq,Lk] and their gradients. The value behind a sink is 0, so its weight
/// gets no gradient; that of its logit is weight · (0 − Σ weight' · gradient').
Tensor gradient(const Use& use) {
  Tensor made(use.shape);
  for (std::size_t head = 0; head < use.shape[0]; ++head) {
    double sum = 0.0;
    for_each_row(use, head, [&](const Index& row) {
      const SinkShare share = share_of(use, row);
      sum -= share.of_sink * share.pulled;
    });
    made.set({head}, static_cast<float>(sum));
  }
  return made;
}

void explain_gradient(const Use& use, Explanation& made) {
  made.rule = Rule::sink_gradient;
  for_each_row(use, made.cell.index[0], [&](const Index& row) {
    const double share = share_of(use, row).of_sink;
    walk(use[0], row, row.rank() - 1, [&](const Cell& weight) {
      const Cell gradient{use[1].id, weight.index, use[1].tensor.at(weight.index)};
      made.terms.push_back(term_of(gradient, weight));
      made.terms.back().value *= -share;
    });
  });
  made.add_up();
}

}  // namespace

// The scores' gradient is that of any softmax, since the weights are what is left of one.
constinit const Operation softmax_with_sinks{
    .name = "softmax_with_sinks",
    .needs = 2,
    .forward = forward,
    .explain = explain,
    .backward = {{{softmax_gradient, {Source::result, Source::d_result, Source::operand2}},
                  {sink_gradient, {Source::result, Source::d_result}}}}};
constinit const Operation sink_gradient{
    .name = "sink_gradient", .needs = 2, .forward = gradient, .explain = explain_gradient};

}  // namespace ops
