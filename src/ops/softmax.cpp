// exp(s − max) / Σ exp(s − max) along each row.
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

/// One row. The largest score is subtracted first: no weight changes by it, and no power overflows.
template <typename Weights, typename Scores>
void weigh(Weights& weights, const Scores& scores) {
  const float largest = xt::amax(scores)();
  // Of nothing but −∞: −∞ − 0 is −∞ again, its power 0, and 0 / 1 is 0.
  noalias(weights) = exponential(scores - (largest > hidden ? largest : 0.0F));
  const float total = xt::sum<float>(weights)();
  noalias(weights) = weights / (total == 0.0F ? 1.0F : total);
}

Tensor forward(const Use& use) {
  if (use.count < 2) return softmax_of(use[0].tensor);
  // A query that may see no key gets zeros also where a hidden score is NaN.
  return tensor::by_rows(
      [](auto& weights, const auto& scores, const auto& mask) {
        if (hides_all({mask.data(), mask.size()})) {
          noalias(weights) = xt::zeros<float>({mask.size()});
        } else {
          weigh(weights, scores);
        }
      },
      use[0].tensor, spread(use[1], use));
}

void explain(const Use& use, Explanation& made) {
  explain_softmax(use, made.cell.index.rank() - 1, made);
}

}  // namespace

Tensor softmax_of(const Tensor& scores) {
  return tensor::by_rows([](auto& weights, const auto& row) { weigh(weights, row); }, scores);
}

void explain_softmax(const Use& use, std::size_t axis, Explanation& made) {
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
  if (use.count > 1) {
    const Tensor mask = spread(use[1], use).select(0, at[0]).select(0, at[1]).select(0, at[2]);
    const std::vector<float> row = mask.values();
    no_key = no_key || hides_all(row);
  }
  made.selected = at[axis];
  made.maximum = maximum;
  for (Term& term : made.terms) {
    term.value = no_key ? 0.0 : std::exp(term.value - maximum);
    made.denominator += term.value;
  }
  made.rule = no_key ? Rule::fully_masked : Rule::softmax;
  made.result = no_key ? 0.0 : made.terms[made.selected].value / made.denominator;
}

constinit const Operation softmax{"softmax", 1, forward, explain};

}  // namespace ops
