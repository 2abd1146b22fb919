#include "ops/operation.hpp"

namespace ops {

using tensor::Extents;
using tensor::Index;
using tensor::Tensor;

void Explanation::add_up() {
  result = 0.0;
  for (const Term& term : terms) result += term.value;
  if (bias) result += static_cast<double>(bias->value);
}

void Explanation::overwrite(Rule with) {
  rule = with;
  for (Term& term : terms) term.value = 0.0;
  result = 0.0;
}

void Explanation::copy_of(const Cell& source, Rule how) {
  rule = how;
  terms = {term_of(source)};
  add_up();
}

Tensor spread(const Operand& operand, const Use& use) {
  Extents order;
  for (const Axis letter : use.axes) order.push_back(operand.axes.place_of(letter));
  return operand.tensor.arrange(order, use.shape);
}

Index index_of(const Axes& of, const Axes& result, const Index& at) {
  Index index;
  for (const Axis letter : of) {
    const std::size_t place = result.place_of(letter);
    index.push_back(place < result.rank() ? at[place] : 0);
  }
  return index;
}

Cell cell_of(const Use& use, std::size_t place, const Index& at) {
  const Operand& operand = use[place];
  const Index index = index_of(operand.axes, use.axes, at);
  return {operand.id, index, operand.tensor.at(index)};
}

Term term_of(const Cell& a) { return {a, false, {}, static_cast<double>(a.value)}; }

Term term_of(const Cell& a, const Cell& b) {
  return {a, true, b, static_cast<double>(a.value) * static_cast<double>(b.value)};
}

bool hides_all(const Tensor& mask, const Index& at) {
  for (std::size_t key = 0; key < mask.dim(3); ++key) {
    if (mask.at({at[0], at[1], at[2], key}) != hidden) return false;
  }
  return true;
}

constinit const Operation given{"given", 0, nullptr, nullptr};

}  // namespace ops
