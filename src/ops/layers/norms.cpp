// layer_norm: (x − mean) / √(variance + ε) · weight + bias over the numbers of a token; biased
// variance, as torch.nn.LayerNorm. rms_norm: x / √(mean of x² + ε) · weight over the numbers of a
// head (Zhang and Sennrich, 2019): the same without a mean and a bias, and the weight is optional.
//
// And their gradients: with x̂ = (x − mean) / deviation and g = d_y · weight,
// d_x = (g − mean of g − x̂ · mean of g·x̂) / deviation (Ba et al., 2016, section 3; the mean and the
// deviation depend on x too), where rms_norm has no mean of g.
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

enum class Norm : bool { layer, rms };

/// The mean of a row as rms_norm takes it: none.
template <typename Row>
float mean_of(Norm norm, const Row& x) {
  return norm == Norm::rms ? 0.0F : static_cast<float>(xt::mean<double>(x)());
}

/// Writes x − mean to `y` and returns the deviation of x. Sums run in double, so that the width of
/// a row does not matter.
template <typename To, typename From>
float centre(Norm norm, To& y, const From& x, const Constants& constants) {
  noalias(y) = x - mean_of(norm, x);
  const double variance = xt::mean<double>(xt::square(y))();
  return norm == Norm::rms
             ? static_cast<float>(std::sqrt(variance + static_cast<double>(constants.rms_eps)))
             : std::sqrt(static_cast<float>(variance) + constants.eps);
}

/// The weight, which is the operand at `place`, or ones where it is not given.
Tensor weight_of(const Use& use, std::size_t place) {
  return use.count > place ? use[place].tensor.contiguous()
                           : Tensor::full({use.shape.back()}, 1.0F);
}

Tensor forward(Norm norm, const Use& use) {
  const Tensor weight = weight_of(use, 1);
  const auto scale = tensor::run(weight.data(), weight.size());
  const Tensor bias = use[2].tensor.contiguous();
  const auto shift = tensor::run(bias.data(), bias.size());
  return tensor::by_rows(
      [&](auto& y, const auto& x) {
        const float deviation = centre(norm, y, x, use.constants);
        if (bias.defined())
          noalias(y) = y / deviation * scale + shift;
        else
          noalias(y) = y / deviation * scale;
      },
      use[0].tensor);
}

/// Operands: x, the gradient of its norm, weight.
Tensor gradient(Norm norm, const Use& use) {
  const Tensor weight = weight_of(use, 2);
  const auto scale = tensor::run(weight.data(), weight.size());
  std::vector<float> buffer(weight.size());
  auto normed = tensor::run(buffer.data(), buffer.size());
  return tensor::by_rows(
      [&](auto& made, const auto& x, const auto& g) {
        const float deviation = centre(norm, normed, x, use.constants);
        noalias(normed) = normed / deviation;
        noalias(made) = g * scale;
        const float mean = mean_of(norm, made);
        const auto along = static_cast<float>(xt::mean<double>(made * normed)());
        noalias(made) = (made - mean - normed * along) / deviation;
      },
      use[0].tensor, use[1].tensor);
}

/// Σ over all tokens (and heads) of d_y · x̂. Operands: x, the gradient of its norm.
Tensor weight_gradient(Norm norm, const Use& use) {
  const Tensor x = use[0].tensor.contiguous();
  const Tensor g = use[1].tensor.contiguous();
  const std::size_t width = use.shape.back();
  Tensor total(use.shape);
  auto sum = tensor::run(total.mutable_data(), width);
  std::vector<float> buffer(width);
  auto normed = tensor::run(buffer.data(), width);
  for (std::size_t first = 0; first < x.size(); first += width) {
    const auto row = tensor::run(x.data() + first, width);
    const float deviation = centre(norm, normed, row, use.constants);
    noalias(sum) = sum + normed / deviation * tensor::run(g.data() + first, width);
  }
  return total;
}

/// The mean and the deviation of the row of operand 0 that a cell is in, in double.
struct Moments {
  double mean = 0.0;
  double deviation = 0.0;

  double normed(float x) const { return (static_cast<double>(x) - mean) / deviation; }
};

Moments moments_of(Norm norm, const Use& use, Index row) {
  const std::size_t last = row.rank() - 1;
  const auto count = static_cast<double>(use[0].tensor.dim(last));
  row[last] = 0;
  Moments made;
  double variance = 0.0;
  if (norm == Norm::layer) {
    walk(use[0], row, last,
         [&](const Cell& x) { made.mean += static_cast<double>(x.value) / count; });
  }
  walk(use[0], row, last, [&](const Cell& x) {
    const double centred = static_cast<double>(x.value) - made.mean;
    variance += centred * centred / count;
  });
  const float eps = norm == Norm::rms ? use.constants.rms_eps : use.constants.eps;
  made.deviation = std::sqrt(variance + static_cast<double>(eps));
  return made;
}

void explain(Norm norm, const Use& use, Explanation& made) {
  const Index& at = made.cell.index;
  const std::size_t last = at.rank() - 1;
  Index first = at;
  first[last] = 0;
  walk(use[0], first, last, [&](const Cell& x) { made.terms.push_back(term_of(x)); });
  const Moments moments = moments_of(norm, use, at);
  made.rule = norm == Norm::rms ? Rule::rms_norm : Rule::layer_norm;
  made.mean = moments.mean;
  made.divisor = moments.deviation;
  made.selected = at[last];
  made.result = moments.normed(made.terms[made.selected].a.value);
  if (use.count > 1) made.weight = cell_of(use, 1, at);
  if (use.count > 2) made.bias = cell_of(use, 2, at);
  if (made.weight) made.result *= static_cast<double>(made.weight->value);
  if (made.bias) made.result += static_cast<double>(made.bias->value);
}

void explain_gradient(Norm norm, const Use& use, Explanation& made) {
  const Index& at = made.cell.index;
  const std::size_t last = at.rank() - 1;
  const auto count = static_cast<double>(use[0].tensor.dim(last));
  const Moments moments = moments_of(norm, use, at);
  made.rule = norm == Norm::rms ? Rule::rms_norm_gradient : Rule::layer_norm_gradient;
  made.divisor = moments.deviation;
  made.selected = at[last];
  made.factor = moments.normed(use[0].tensor.at(at));
  Index first = at;
  first[last] = 0;
  walk(use[1], first, last, [&](const Cell& g) {
    made.terms.push_back(use.count > 2 ? term_of(g, cell_of(use, 2, g.index)) : term_of(g));
    const double term = made.terms.back().value;
    if (norm == Norm::layer) made.mean += term / count;
    made.denominator += term * moments.normed(use[0].tensor.at(g.index)) / count;
  });
  made.result =
      (made.terms[made.selected].value - made.mean - made.factor * made.denominator) / made.divisor;
}

/// One term per token (and head): d_y · x̂, where b is the cell of x.
void explain_weight_gradient(Norm norm, const Use& use, Explanation& made) {
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
    term.value =
        static_cast<double>(term.a.value) * moments_of(norm, use, index).normed(term.b.value);
    made.terms.push_back(term);
  } while (next_index(at, rows));
  made.add_up();
}

}  // namespace

constinit const Operation layer_norm{
    .name = "layer_norm",
    .needs = 3,
    .forward = [](const Use& use) { return forward(Norm::layer, use); },
    .explain = [](const Use& use, Explanation& made) { explain(Norm::layer, use, made); },
    .backward = {{
        {layer_norm_gradient, {Source::operand0, Source::d_result, Source::operand1}},
        {layer_norm_weight_gradient, {Source::operand0, Source::d_result}},
        {sum, {Source::d_result}},
    }},
    .reads_constants = true};
constinit const Operation rms_norm{
    .name = "rms_norm",
    .needs = 1,
    .forward = [](const Use& use) { return forward(Norm::rms, use); },
    .explain = [](const Use& use, Explanation& made) { explain(Norm::rms, use, made); },
    .backward = {{
        {rms_norm_gradient, {Source::operand0, Source::d_result, Source::operand1}},
        {rms_norm_weight_gradient, {Source::operand0, Source::d_result}},
    }},
    .reads_constants = true};

constinit const Operation layer_norm_gradient{
    .name = "layer_norm_gradient",
    .needs = 3,
    .forward = [](const Use& use) { return gradient(Norm::layer, use); },
    .explain = [](const Use& use, Explanation& made) { explain_gradient(Norm::layer, use, made); },
    .reads_constants = true};
constinit const Operation rms_norm_gradient{
    .name = "rms_norm_gradient",
    .needs = 2,
    .forward = [](const Use& use) { return gradient(Norm::rms, use); },
    .explain = [](const Use& use, Explanation& made) { explain_gradient(Norm::rms, use, made); },
    .reads_constants = true};

constinit const Operation layer_norm_weight_gradient{
    .name = "layer_norm_weight_gradient",
    .needs = 2,
    .forward = [](const Use& use) { return weight_gradient(Norm::layer, use); },
    .explain = [](const Use& use,
                  Explanation& made) { explain_weight_gradient(Norm::layer, use, made); },
    .reads_constants = true};
constinit const Operation rms_norm_weight_gradient{
    .name = "rms_norm_weight_gradient",
    .needs = 2,
    .forward = [](const Use& use) { return weight_gradient(Norm::rms, use); },
    .explain = [](const Use& use,
                  Explanation& made) { explain_weight_gradient(Norm::rms, use, made); },
    .reads_constants = true};

}  // namespace ops
