// exp(s − max) / Σ exp(s − max) along each row, and its gradient.
#include "ops/softmax.hpp"

#include <algorithm>
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
  clear_hidden_rows(weights, use, 1);
  return weights;
}

void explain(const Use& use, Explanation& made) {
  explain_softmax(use, made.cell.index.rank() - 1, made);
}

Tensor gradient(const Use& use) {
  Tensor made = softmax_gradient_of(use[0].tensor, use[1].tensor);
  clear_hidden_rows(made, use, 2);
  return made;
}

void explain_gradient(const Use& use, Explanation& made) {
  explain_softmax_gradient(use, made.cell.index.rank() - 1, made);
  if (use.count > 2 && hides_all(spread(use[2], use), made.cell.index))
    made.overwrite(Rule::fully_masked);
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

Tensor softmax_of(const Tensor& scores, const Tensor& sinks) {
  return tensor::by_rows(
      [](auto& weights, const auto& row, const auto& same_sink) {
        const float sink = same_sink(0);
        const float largest = std::max(xt::amax(row)(), sink);
        noalias(weights) = exponential(row - largest);
        const float total = xt::sum<float>(weights)() + exponential_of(sink - largest);
        noalias(weights) = weights / total;
      },
      scores, sinks);
}

void clear_hidden_rows(Tensor& weights, const Use& use, std::size_t place) {
  if (use.count <= place) return;
  const Tensor mask = spread(use[place], use);
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
  const bool has_sink = use.count > 1 && use[1].axes.rank() == 1;
  const std::size_t mask = has_sink ? 2 : 1;
  bool no_key = maximum == -infinity && !any_nan;
  if (use.count > mask) no_key = no_key || hides_all(spread(use[mask], use), at);
  if (has_sink && !no_key) {
    made.bias = cell_of(use, 1, at);
    maximum = std::max(maximum, static_cast<double>(made.bias->value));
  }
  made.selected = at[axis];
  if (shift == Shift::largest) made.maximum = maximum;
  for (Term& term : made.terms) {
    // What is not shifted overflows where the forward pass does.
    const auto power = [&] { return static_cast<double>(std::exp(term.a.value)); };
    term.value = no_key ? 0.0 : made.maximum ? std::exp(term.value - maximum) : power();
    made.denominator += term.value;
  }
  if (made.bias) made.denominator += std::exp(static_cast<double>(made.bias->value) - maximum);
  constexpr double most = std::numeric_limits<float>::max();
  if (shift == Shift::nothing && made.denominator > most) made.denominator = infinity;
  made.rule = no_key ? Rule::fully_masked : Rule::softmax;
  made.result = no_key ? 0.0 : made.terms[made.selected].value / made.denominator;
}

Tensor softmax_gradient_of(const Tensor& weights, const Tensor& gradients) {
  return tensor::by_rows(
      [](auto& made, const auto& w, const auto& g) {
        noalias(made) = w * g;
        const float mean = xt::sum<float>(made)();  // of the gradients, weighted
        noalias(made) = w * (g - mean);
      },
      weights, gradients);
}

void explain_softmax_gradient(const Use& use, std::size_t axis, Explanation& made) {
  const Index& at = made.cell.index;
  Index first = at;
  first[axis] = 0;
  made.rule = Rule::softmax_gradient;
  walk(use[1], first, axis, [&](const Cell& g) { made.terms.push_back(term_of(g)); });
  walk(use[0], first, axis, [&](const Cell& w) {
    Term& term = made.terms[w.index[axis]];
    term = term_of(term.a, w);
  });
  made.selected = at[axis];
  const Term& own = made.terms[made.selected];
  made.factor = static_cast<double>(own.b.value);
  double mean = 0.0;
  for (const Term& term : made.terms) mean += term.value;
  made.result = made.factor * (static_cast<double>(own.a.value) - mean);
}

constinit const Operation softmax{
    .name = "softmax",
    .needs = 1,
    .forward = forward,
    .explain = explain,
    .backward = {{{softmax_gradient, {Source::result, Source::d_result, Source::operand1}}}}};
constinit const Operation softmax_gradient{
    .name = "softmax_gradient", .needs = 2, .forward = gradient, .explain = explain_gradient};

}  // namespace ops
