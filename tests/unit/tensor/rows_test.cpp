#include "tensor/rows.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "numbers.hpp"

namespace tensor {
namespace {

using test::counting;
using test::expect_values;
using xt::noalias;

Tensor doubled(const Tensor& x) {
  return by_rows([](auto& y, const auto& row) { noalias(y) = row * 2.0F; }, x);
}

TEST(Rows, ARunReadsAndWritesTheSameFloats) {
  std::vector<float> floats{1, 2, 3, 4};
  auto part = run(floats.data() + 1, 2);
  EXPECT_EQ(part.size(), 2U);
  EXPECT_EQ(part(1), 3.0F);
  noalias(part) = part + 10.0F;
  EXPECT_EQ(floats, (std::vector<float>{1, 12, 13, 4}));
}

TEST(Rows, BeginAtTheirFirstNumber) {
  const Tensor tensor = counting({3, 4});
  EXPECT_EQ(*tensor.cell({1, 0}), 5.0F);
  EXPECT_EQ(*tensor.narrow(1, 2, 2).cell({1, 0}), 7.0F);
}

TEST(Rows, EachBecomesOneOfANewTensor) {
  const Tensor x = counting({2, 1, 3});
  const Tensor y = doubled(x);
  EXPECT_EQ(y.shape(), x.shape());
  EXPECT_TRUE(y.is_contiguous());
  expect_values(y, {2, 4, 6, 8, 10, 12});
  expect_values(x, {1, 2, 3, 4, 5, 6});
}

TEST(Rows, AreReadWhateverTheStrides) {
  const Tensor x = counting({2, 3});
  expect_values(doubled(x.transpose(0, 1)), {2, 8, 4, 10, 6, 12});
  expect_values(doubled(x.narrow(1, 1, 2)), {4, 6, 10, 12});
  expect_values(doubled(Tensor({2, 1}, {1, 2}).expand({2, 3})), {2, 2, 2, 4, 4, 4});
  expect_values(doubled(Tensor({3}, {1, 2, 3}).expand({2, 3})), {2, 4, 6, 2, 4, 6});
  EXPECT_EQ(doubled(Tensor({2, 0})).shape(), (Shape{2, 0}));
}

TEST(Rows, OfSeveralTensorsMeet) {
  const Tensor x = counting({2, 2});
  const Tensor sums = by_rows(
      [](auto& sum, const auto& a, const auto& b, const auto& c) { noalias(sum) = a + b * c; }, x,
      x.transpose(0, 1), Tensor({1, 1}, {100}).expand({2, 2}));
  expect_values(sums, {101, 302, 203, 404});
}

// Every row has a maximum of its own. With the reducer left lazy, `x - xt::amax(x, {1},
// xt::keep_dims)` steps through the row maxima as if they were a full matrix: wrong numbers, and
// reads past the end of x. That is so in every xtensor from 0.24 to 0.27; it compiles without a
// warning, and the sanitizers would stop a test that carried it out.
TEST(Rows, ReducersGiveOneNumberForEach) {
  const Tensor below = by_rows(
      [](auto& y, const auto& row) {
        const float largest = xt::amax(row)();
        noalias(y) = row - largest;
      },
      counting({3, 4}));
  expect_values(below, {-3, -2, -1, 0, -3, -2, -1, 0, -3, -2, -1, 0});
}

}  // namespace
}  // namespace tensor
