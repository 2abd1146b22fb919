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

inline Explanation explained(const Operation& operation, const Use& use, const Index& index) {
  Explanation made;
  made.cell = {TensorId::at(9), index, operation.forward(use).at(index)};
  operation.explain(use, made);
  return made;
}

}  // namespace ops
