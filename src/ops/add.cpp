// a + b: a residual connection, a position, a mask; parts of a gradient, of which there may be
// three.
#include "ops/operation.hpp"
#include "tensor/rows.hpp"

namespace ops {
namespace {

using tensor::Tensor;
using xt::noalias;

Tensor forward(const Use& use) {
  const Tensor a = spread(use[0], use);
  const Tensor b = spread(use[1], use);
  if (use.count == 2) {
    return tensor::by_rows([](auto& sum, const auto& x, const auto& y) { noalias(sum) = x + y; }, a,
                           b);
  }
  return tensor::by_rows(
      [](auto& sum, const auto& x, const auto& y, const auto& z) { noalias(sum) = x + y + z; }, a,
      b, spread(use[2], use));
}

void explain(const Use& use, Explanation& made) {
  made.rule = Rule::sum;
  for (std::size_t place = 0; place < use.count; ++place)
    made.terms.push_back(term_of(cell_of(use, place, made.cell.index)));
  made.add_up();
}

Tensor difference(const Use& use) {
  return tensor::by_rows([](auto& left, const auto& a, const auto& b) { noalias(left) = a - b; },
                         spread(use[0], use), spread(use[1], use));
}

void explain_difference(const Use& use, Explanation& made) {
  made.rule = Rule::difference;
  made.terms = {term_of(cell_of(use, 0, made.cell.index)),
                term_of(cell_of(use, 1, made.cell.index))};
  made.terms[1].value = -made.terms[1].value;
  made.add_up();
}

Tensor negated(const Use& use) {
  return tensor::by_rows([](auto& y, const auto& x) { noalias(y) = -x; }, spread(use[0], use));
}

void explain_negative(const Use& use, Explanation& made) {
  made.rule = Rule::function_gradient;
  made.terms = {term_of(cell_of(use, 0, made.cell.index))};
  made.factor = -1.0;
  made.terms[0].value = -made.terms[0].value;
  made.add_up();
}

}  // namespace

// What was repeated along a letter gets the sum of the gradients along it.
constinit const Operation add{.name = "add",
                              .needs = 2,
                              .forward = forward,
                              .explain = explain,
                              .backward = {{{sum, {Source::d_result}}, {sum, {Source::d_result}}}}};
constinit const Operation subtract{
    .name = "subtract",
    .needs = 2,
    .forward = difference,
    .explain = explain_difference,
    .backward = {{{sum, {Source::d_result}}, {negative, {Source::d_result}}}}};
constinit const Operation negative{
    .name = "negative", .needs = 1, .forward = negated, .explain = explain_negative};

}  // namespace ops
