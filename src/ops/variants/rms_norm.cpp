// x / √(mean of x² + ε) · weight over the numbers of a head (Zhang and Sennrich, 2019): like
// layer_norm, but without a mean and a bias; the weight is optional. And its gradients: with
// x̂ = x / deviation and g = d_y · weight, d_x = (g − x̂ · mean of g·x̂) / deviation.
#include <cmath>
#include <vector>

#include "ops/operation.hpp"
#include "tensor/rows.hpp"

namespace ops {
namespace {

using tensor::Index;
using tensor::Shape;
using tensor::Tensor;
using xt::noalias;

constexpr double eps = 1e-6;  // as in Qwen3 and Gemma 3

/// √(mean of x² + ε). Sums run in double, as in layer_norm.
template <typename Row>
float deviation_of(const Row& x) {
  return static_cast<float>(std::sqrt(xt::mean<double>(xt::square(x))() + eps));
}

/// The weight at `place` among the operands, or ones where there is none.
std::vector<float> weights_of(const Use& use, std::size_t place) {
  return use.count > place ? use[place].tensor.values()
                           : std::vector<float>(use.shape.back(), 1.0F);
}

Tensor forward(const Use& use) {
  const std::vector<float> weight = weights_of(use, 1);
  const auto scale = tensor::run(weight.data(), weight.size());
  return tensor::by_rows(
      [&](auto& y, const auto& x) {
        const float deviation = deviation_of(x);
        noalias(y) = x / deviation * scale;
      },
      use[0].tensor);
}

Tensor gradient(const Use& use) {
  const std::vector<float> weight = weights_of(use, 2);
  const auto scale = tensor::run(weight.data(), weight.size());
  std::vector<float> buffer(weight.size());
  auto normed = tensor::run(buffer.data(), buffer.size());
  return tensor::by_rows(
      [&](auto& made, const auto& x, const auto& g) {
        const float deviation = deviation_of(x);
        noalias(normed) = x / deviation;
        noalias(made) = g * scale;
        const auto along = static_cast<float>(xt::mean<double>(made * normed)());
        noalias(made) = (made - normed * along) / deviation;
      },
      use[0].tensor, use[1].tensor);
}

/// Σ over all tokens and heads of d_y · x̂.
Tensor weight_gradient(const Use& use) {
  const Tensor x = use[0].tensor.contiguous();
  const Tensor g = use[1].tensor.contiguous();
  const std::size_t width = use.shape.back();
  Tensor total(use.shape);
  auto sum = tensor::run(total.mutable_data(), width);
  for (std::size_t first = 0; first < x.size(); first += width) {
    const auto row = tensor::run(x.data() + first, width);
    const float deviation = deviation_of(row);
    noalias(sum) = sum + row / deviation * tensor::run(g.data() + first, width);
  }
  return total;
}

/// √(mean of x² + ε) of the row of operand 0 that `row` is in, in double.
double deviation_of_row(const Use& use, Index row) {
  const std::size_t last = row.rank() - 1;
  const auto count = static_cast<double>(use[0].tensor.dim(last));
  row[last] = 0;
  double mean = 0.0;
  walk(use[0], row, last, [&](const Cell& x) {
    mean += static_cast<double>(x.value) * static_cast<double>(x.value) / count;
  });
  return std::sqrt(mean + eps);
}

void explain(const Use& use, Explanation& made) {
  const Index& at = made.cell.index;
  const std::size_t last = at.rank() - 1;
  Index first = at;
  first[last] = 0;
  made.rule = Rule::rms_norm;
  walk(use[0], first, last, [&](const Cell& x) { made.terms.push_back(term_of(x)); });
  made.divisor = deviation_of_row(use, at);
  made.selected = at[last];
  made.result = made.terms[made.selected].value / made.divisor;
  if (use.count < 2) return;
  made.weight = cell_of(use, 1, at);
  made.result *= static_cast<double>(made.weight->value);
}

void explain_gradient(const Use& use, Explanation& made) {
  const Index& at = made.cell.index;
  const std::size_t last = at.rank() - 1;
  const auto count = static_cast<double>(use[0].tensor.dim(last));
  made.rule = Rule::rms_norm_gradient;
  made.divisor = deviation_of_row(use, at);
  made.selected = at[last];
  made.factor = static_cast<double>(use[0].tensor.at(at)) / made.divisor;
  Index first = at;
  first[last] = 0;
  walk(use[1], first, last, [&](const Cell& g) {
    made.terms.push_back(use.count > 2 ? term_of(g, cell_of(use, 2, g.index)) : term_of(g));
    const double normed = static_cast<double>(use[0].tensor.at(g.index)) / made.divisor;
    made.denominator += made.terms.back().value * normed / count;
  });
  made.result = (made.terms[made.selected].value - made.factor * made.denominator) / made.divisor;
}

/// One term per token and head: d_y · x̂, where b is the cell of x.
void explain_weight_gradient(const Use& use, Explanation& made) {
  made.rule = Rule::normed_products;
  Shape rows = use[0].tensor.shape();
  const std::size_t last = rows.rank() - 1;
  rows[last] = 1;
  Index at = Index::filled(rows.rank(), 0);
  do {
    Index index = at;
    index[last] = made.cell.index[0];
    Term term = term_of({use[1].id, index, use[1].tensor.at(index)},
                        {use[0].id, index, use[0].tensor.at(index)});
    term.value /= deviation_of_row(use, index);
    made.terms.push_back(term);
  } while (next_index(at, rows));
  made.add_up();
}

}  // namespace

constinit const Operation rms_norm{
    .name = "rms_norm",
    .needs = 1,
    .forward = forward,
    .explain = explain,
    .backward = {{
        {rms_norm_gradient, {Source::operand0, Source::d_result, Source::operand1}},
        {rms_norm_weight_gradient, {Source::operand0, Source::d_result}},
    }}};
constinit const Operation rms_norm_gradient{
    .name = "rms_norm_gradient", .needs = 2, .forward = gradient, .explain = explain_gradient};
constinit const Operation rms_norm_weight_gradient{.name = "rms_norm_weight_gradient",
                                                   .needs = 2,
                                                   .forward = weight_gradient,
                                                   .explain = explain_weight_gradient};

}  // namespace ops
