// (x − mean) / √(variance + ε) · weight + bias over the numbers of a token; biased variance, as
// torch.nn.LayerNorm. And its gradients: with x̂ = (x − mean) / deviation and g = d_y · weight,
// d_x = (g − mean of g − x̂ · mean of g·x̂) / deviation (Ba et al., 2016, section 3; the mean and the
// deviation depend on x too).
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

/// Writes x − mean to `y` and returns the deviation of x. Sums run in double, so that the width of
/// a row does not matter.
template <typename To, typename From>
float centre(To& y, const From& x, float eps) {
  const auto mean = static_cast<float>(xt::mean<double>(x)());
  noalias(y) = x - mean;
  const auto variance = static_cast<float>(xt::mean<double>(xt::square(y))());
  return std::sqrt(variance + eps);
}

Tensor forward(const Use& use) {
  const Tensor weight = use[1].tensor.contiguous();
  const Tensor bias = use[2].tensor.contiguous();
  const auto scale = tensor::run(weight.data(), weight.size());
  const auto shift = tensor::run(bias.data(), bias.size());
  return tensor::by_rows(
      [&](auto& y, const auto& x) {
        const float deviation = centre(y, x, use.constants.eps);
        noalias(y) = y / deviation * scale + shift;
      },
      use[0].tensor);
}

Tensor gradient(const Use& use) {
  const Tensor weight = use[2].tensor.contiguous();
  const auto scale = tensor::run(weight.data(), weight.size());
  std::vector<float> buffer(weight.size());
  auto normed = tensor::run(buffer.data(), buffer.size());
  return tensor::by_rows(
      [&](auto& made, const auto& x, const auto& g) {
        const float deviation = centre(normed, x, use.constants.eps);
        noalias(normed) = normed / deviation;
        noalias(made) = g * scale;
        const auto mean = static_cast<float>(xt::mean<double>(made)());
        const auto along = static_cast<float>(xt::mean<double>(made * normed)());
        noalias(made) = (made - mean - normed * along) / deviation;
      },
      use[0].tensor, use[1].tensor);
}

/// Σ over all tokens of d_y · x̂.
Tensor weight_gradient(const Use& use) {
  const Tensor x = use[0].tensor.contiguous();
  const Tensor g = use[1].tensor.contiguous();
  const std::size_t width = use.shape.back();
  Tensor total(use.shape);
  auto sum = tensor::run(total.mutable_data(), width);
  std::vector<float> buffer(width);
  auto normed = tensor::run(buffer.data(), width);
  for (std::size_t first = 0; first < x.size(); first += width) {
    const float deviation = centre(normed, tensor::run(x.data() + first, width), use.constants.eps);
    noalias(sum) = sum + normed / deviation * tensor::run(g.data() + first, width);
  }
  return total;
}

void explain(const Use& use, Explanation& made) {
  const Index& at = made.cell.index;
  const std::size_t last = at.rank() - 1;
  Index first = at;
  first[last] = 0;
  made.rule = Rule::layer_norm;
  walk(use[0], first, last, [&](const Cell& x) { made.terms.push_back(term_of(x)); });
  const auto count = static_cast<double>(made.terms.size());
  for (const Term& term : made.terms) made.mean += term.value / count;
  double variance = 0.0;
  for (const Term& term : made.terms)
    variance += (term.value - made.mean) * (term.value - made.mean) / count;
  made.divisor = std::sqrt(variance + static_cast<double>(use.constants.eps));
  made.selected = at[last];
  made.weight = cell_of(use, 1, at);
  made.bias = cell_of(use, 2, at);
  made.result = (made.terms[made.selected].value - made.mean) / made.divisor *
                    static_cast<double>(made.weight->value) +
                static_cast<double>(made.bias->value);
}

/// The mean and the deviation of the row of operand 0 that `at` is in, in double.
struct Moments {
  double mean = 0.0;
  double deviation = 0.0;
};

Moments moments_of(const Use& use, Index row) {
  const std::size_t last = row.rank() - 1;
  const auto count = static_cast<double>(use[0].tensor.dim(last));
  row[last] = 0;
  Moments made;
  double variance = 0.0;
  walk(use[0], row, last,
       [&](const Cell& x) { made.mean += static_cast<double>(x.value) / count; });
  walk(use[0], row, last, [&](const Cell& x) {
    const double centred = static_cast<double>(x.value) - made.mean;
    variance += centred * centred / count;
  });
  made.deviation = std::sqrt(variance + static_cast<double>(use.constants.eps));
  return made;
}

void explain_gradient(const Use& use, Explanation& made) {
  const Index& at = made.cell.index;
  const std::size_t last = at.rank() - 1;
  const auto count = static_cast<double>(use[0].tensor.dim(last));
  const Moments moments = moments_of(use, at);
  made.rule = Rule::layer_norm_gradient;
  made.divisor = moments.deviation;
  made.selected = at[last];
  Index first = at;
  first[last] = 0;
  walk(use[1], first, last, [&](const Cell& g) {
    made.terms.push_back(term_of(g, cell_of(use, 2, g.index)));
    const double normed =
        (static_cast<double>(use[0].tensor.at(g.index)) - moments.mean) / moments.deviation;
    made.mean += made.terms.back().value / count;
    made.denominator += made.terms.back().value * normed / count;
    if (g.index == at) made.factor = normed;
  });
  made.result = (made.terms[made.selected].value - made.mean - made.factor * made.denominator) /
                moments.deviation;
}

/// One term per token: d_y · x̂, where b is the cell of x.
void explain_weight_gradient(const Use& use, Explanation& made) {
  made.rule = Rule::normed_products;
  Shape tokens = use[0].tensor.shape();
  const std::size_t last = tokens.rank() - 1;
  tokens[last] = 1;
  Index at = Index::filled(tokens.rank(), 0);
  do {
    Index index = at;
    index[last] = made.cell.index[0];
    const Moments moments = moments_of(use, index);
    Term term = term_of({use[1].id, index, use[1].tensor.at(index)},
                        {use[0].id, index, use[0].tensor.at(index)});
    const double normed = (static_cast<double>(term.b.value) - moments.mean) / moments.deviation;
    term.value = static_cast<double>(term.a.value) * normed;
    made.terms.push_back(term);
  } while (next_index(at, tokens));
  made.add_up();
}

}  // namespace

constinit const Operation layer_norm{
    .name = "layer_norm",
    .needs = 3,
    .forward = forward,
    .explain = explain,
    .backward = {{
        {layer_norm_gradient, {Source::operand0, Source::d_result, Source::operand1}},
        {layer_norm_weight_gradient, {Source::operand0, Source::d_result}},
        {sum, {Source::d_result}},
    }},
    .reads_constants = true};
constinit const Operation layer_norm_gradient{.name = "layer_norm_gradient",
                                              .needs = 3,
                                              .forward = gradient,
                                              .explain = explain_gradient,
                                              .reads_constants = true};
constinit const Operation layer_norm_weight_gradient{.name = "layer_norm_weight_gradient",
                                                     .needs = 2,
                                                     .forward = weight_gradient,
                                                     .explain = explain_weight_gradient,
                                                     .reads_constants = true};

}  // namespace ops
