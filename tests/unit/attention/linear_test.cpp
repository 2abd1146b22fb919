#include "attention/linear.hpp"

#include <gtest/gtest.h>

#include "attention/helpers.hpp"

namespace attention {
namespace {

using test::Array;
using test::Numbers;

Array reference(const Tensor& x, const Tensor& weight, const Tensor& bias) {
  Array result({x.dim(0), x.dim(1), weight.dim(0)});
  Index index{0, 0, 0};
  do {
    double sum = bias.defined() ? static_cast<double>(bias.at({index[2]})) : 0.0;
    for (std::size_t i = 0; i < x.dim(2); ++i) {
      sum += static_cast<double>(x.at({index[0], index[1], i})) *
             static_cast<double>(weight.at({index[2], i}));
    }
    result[index] = sum;
  } while (next_index(index, result.shape));
  return result;
}

TEST(Linear, ByHand) {
  // W is [out,in]: y0 = 1·x0 + 2·x1 + 10.
  const Tensor y = linear(Tensor({1, 1, 2}, {3, 4}), Tensor({3, 2}, {1, 2, 0, 1, 1, 0}),
                          Tensor({3}, {10, 20, 30}));
  test::expect_values(y, {21, 24, 33});
}

TEST(Linear, IsTheDefinition) {
  Numbers numbers(1);
  for (const Shape& shape : {Shape{1, 1, 1}, Shape{2, 3, 4}, Shape{3, 5, 13}, Shape{1, 9, 300}}) {
    for (const std::size_t out : {1U, 4U, 9U}) {
      const Tensor x = numbers.tensor(shape);
      const Tensor weight = numbers.tensor({out, shape[2]});
      const Tensor bias = numbers.tensor({out});
      test::expect_close(linear(x, weight, bias), reference(x, weight, bias), 2e-5, "with bias");
      test::expect_close(linear(x, weight, {}), reference(x, weight, {}), 2e-5, "without bias");
    }
  }
}

TEST(Linear, TakesViews) {
  Numbers numbers(2);
  const Tensor x = numbers.tensor({3, 2, 4}).transpose(0, 1);
  const Tensor weight = numbers.tensor({12, 4}).narrow(0, 4, 4);  // as k's part of in_proj_weight
  const Tensor bias = numbers.tensor({12}).narrow(0, 4, 4);
  test::expect_close(linear(x, weight, bias), reference(x, weight, bias), 1e-6, "views");
}

}  // namespace
}  // namespace attention
