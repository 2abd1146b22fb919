// Operations tried by themselves: what they make, and that they explain every cell of it.
#pragma once

#include <initializer_list>
#include <utility>

#include "explanations.hpp"
#include "numbers.hpp"
#include "ops/operation.hpp"

namespace ops {

using tensor::Index;
using tensor::Shape;
using tensor::Tensor;
using test::Array;
using test::counting;
using test::expect_close;
using test::expect_values;
using test::Numbers;
using enum Axis;

/// A tensor and the letters of its axes.
using Lettered = std::pair<Tensor, Axes>;

/// The use of an operation that makes a tensor with these letters; the i-th operand is called by
/// the i-th name of all.
inline Use use_of(const Axes& axes, std::initializer_list<Lettered> operands,
                  const Constants& constants = {}) {
  Use use;
  Lengths lengths;
  for (const auto& [tensor, letters] : operands) {
    for (std::size_t axis = 0; axis < letters.rank(); ++axis)
      lengths[letters[axis]] = tensor.dim(axis);
    use.operands[use.count] = {tensor, letters, TensorId::at(use.count)};
    ++use.count;
  }
  if (lengths[A] == 0) lengths[A] = lengths[H] * lengths[D];
  use.axes = axes;
  use.shape = lengths.shape_of(axes);
  use.constants = constants;
  return use;
}

/// What the operation makes; every cell of it is explained, and the explanation adds up.
inline Tensor made_by(const Operation& operation, const Use& use) {
  Tensor result = operation.forward(use);
  EXPECT_EQ(describe(result.shape()), describe(use.shape)) << operation.name;
  Index index = Index::filled(result.rank(), 0);
  do {
    Explanation made;
    made.cell = {TensorId::at(9), index, result.at(index)};
    operation.explain(use, made);
    EXPECT_NE(made.rule, Rule::given) << operation.name;
    test::expect_true(
        made, [&](const Cell& cell) { return use[cell.tensor.place()].tensor.at(cell.index); },
        std::string(operation.name) + describe(index));
  } while (next_index(index, result.shape()));
  return result;
}

/// The row that computes the gradient of an operand of `use`, which made `result`.
inline Use gradient_use(const Operation& operation, std::size_t operand, const Use& use,
                        const Tensor& result, const Tensor& d_result) {
  const Gradient& gradient = operation.backward[operand];
  Use made;
  made.constants = use.constants;
  made.axes = use[operand].axes;
  made.shape = use[operand].tensor.shape();
  for (std::size_t i = 0; i < gradient.count; ++i) {
    const Source source = gradient.of[i];
    const auto place = static_cast<std::size_t>(source);
    Operand read;
    if (source == Source::result)
      read = {result, use.axes, {}};
    else if (source == Source::d_result)
      read = {d_result, use.axes, {}};
    else if (place < use.count)
      read = use[place];
    else
      continue;  // a mask that is not there
    read.id = TensorId::at(made.count);
    made.operands[made.count++] = read;
  }
  return made;
}

/// The gradient of an operand, every cell of it explained.
inline Tensor gradient_by(const Operation& operation, std::size_t operand, const Use& use,
                          const Tensor& d_result) {
  const Gradient& gradient = operation.backward[operand];
  EXPECT_NE(gradient.operation, nullptr) << operation.name;
  return made_by(*gradient.operation,
                 gradient_use(operation, operand, use, operation.forward(use), d_result));
}

/// Σ of products over all letters that the result lacks: the definition, as einsum has it.
inline Array einsum_reference(const Use& use) {
  Axes letters = use.axes;
  Shape lengths = use.shape;
  for (std::size_t place = 0; place < 2; ++place) {
    for (std::size_t axis = 0; axis < use[place].axes.rank(); ++axis) {
      if (letters.has(use[place].axes[axis])) continue;
      letters.push_back(use[place].axes[axis]);
      lengths.push_back(use[place].tensor.dim(axis));
    }
  }
  Array sums(use.shape);
  Index at = Index::filled(letters.rank(), 0);
  do {
    const auto number = [&](const Operand& operand) {
      return static_cast<double>(operand.tensor.at(index_of(operand.axes, letters, at)));
    };
    sums[index_of(use.axes, letters, at)] += number(use[0]) * number(use[1]);
  } while (next_index(at, lengths));
  return sums;
}

inline Explanation explained(const Operation& operation, const Use& use, const Index& index) {
  Explanation made;
  made.cell = {TensorId::at(9), index, operation.forward(use).at(index)};
  operation.explain(use, made);
  return made;
}

}  // namespace ops
