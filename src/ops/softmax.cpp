// exp(s − max) / Σ exp(s − max) along each row.
#include "ops/softmax.hpp"

#include <cmath>

#include "ops/exponential.hpp"
#include "tensor/rows.hpp"

namespace ops {
namespace {

using tensor::Index;
using tensor::Tensor;
using xt::noalias;

constexpr double infinity = std::numeric_limits<double>::infinity();

Tensor forward(const Use& use) {
  Tensor weights = softmax_of(use[0].tensor);
  clear_hidden_rows(weights, use);
  return weights;
}

void explain(const Use& use, Explanation& made) {
  explain_softmax(use, made.cell.index.rank() - 1, made);
}

}  // namespace

Tensor softmax_of(const Tensor& scores, Shift shift) {
  return tensor::by_rows(
      [shift](auto& weights, const auto& row) {
        // Subtracting the largest score changes no weight and keeps exp from overflowing.
        const float largest = xt::amax(row)();
        if (shift == Shift::nothing)
          noalias(weights) = xt::exp(row);
        else
          noalias(weights) = exponential(row - (largest > hidden ? largest : 0.0F));
        const float total = xt::sum<float>(weights)();
        // A row of nothing but −∞ must give zeros, not 0/0.
        const bool all_hidden = total == 0.0F && xt::all(xt::equal(row, hidden));
        noalias(weights) = weights / (all_hidden ? 1.0F : total);
      },
      scores);
}

void clear_hidden_rows(Tensor& weights, const Use& use) {
  if (use.count < 2) return;
  const Tensor mask = spread(use[1], use);
  clear_rows(weights, [&](const Index& at) { return hides_all(mask, at); });
}

void explain_softmax(const Use& use, std::size_t axis, Explanation& made, Shift shift) {
  const Index& at = made.cell.index;
  Index first = at;
  first[axis] = 0;
  double maximum = -infinity;
  bool any_nan = false;
  walk(use[0], first, axis, [&](const Cell& score) {
    made.terms.push_back(term_of(score));
    const double value = made.terms.back().value;
    any_nan = any_nan || std::isnan(value);
    if (value > maximum) maximum = value;
  });
  bool no_key = maximum == -infinity && !any_nan;
  if (use.count > 1) no_key = no_key || hides_all(spread(use[1], use), at);
  made.selected = at[axis];
  if (shift == Shift::largest) made.maximum = maximum;
  for (Term& term : made.terms) {
    // What is not shifted overflows where the forward pass does.
    const auto power = [&] { return static_cast<double>(std::exp(term.a.value)); };
    term.value = no_key ? 0.0 : made.maximum ? std::exp(term.value - maximum) : power();
    made.denominator += term.value;
  }
  constexpr double most = std::numeric_limits<float>::max();
  if (shift == Shift::nothing && made.denominator > most) made.denominator = infinity;
  made.rule = no_key ? Rule::fully_masked : Rule::softmax;
  made.result = no_key ? 0.0 : made.terms[made.selected].value / made.denominator;
}

constinit const Operation softmax{"softmax", 1, forward, explain};

}  // namespace ops
