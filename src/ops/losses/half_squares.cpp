// ½ Σ x²: of the difference between an output and its target, the squared distance that is halved
// so that its gradient is the difference itself.
#include "ops/operation.hpp"
#include "tensor/rows.hpp"

namespace ops {
namespace {

using tensor::Index;
using tensor::Tensor;

Tensor forward(const Use& use) {
  const Tensor x = use[0].tensor.contiguous();
  const double squares = xt::sum<double>(xt::square(tensor::run(x.data(), x.size())))();
  return Tensor::full(use.shape, static_cast<float>(0.5 * squares));
}

void explain(const Use& use, Explanation& made) {
  const Tensor& x = use[0].tensor;
  made.rule = Rule::half_squares;
  Index at = Index::filled(x.rank(), 0);
  do {
    Term term = term_of(Cell{use[0].id, at, x.at(at)});
    term.value *= 0.5 * term.value;
    made.terms.push_back(term);
  } while (next_index(at, x.shape()));
  made.add_up();
}

}  // namespace

constinit const Operation half_squares{
    .name = "half_squares",
    .needs = 1,
    .forward = forward,
    .explain = explain,
    .backward = {{{multiply, {Source::operand0, Source::d_result}}}}};

}  // namespace ops
