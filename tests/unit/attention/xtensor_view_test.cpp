#include "attention/xtensor_view.hpp"

#include <gtest/gtest.h>

#include "attention/helpers.hpp"

namespace attention {
namespace {

using test::counting;

TEST(XtensorView, ReadsAndWritesTheSameFloats) {
  Tensor tensor = counting({2, 3});
  EXPECT_EQ(cells<2>(tensor)(1, 2), 6.0F);
  mutable_cells<2>(tensor)(1, 2) = 9.0F;
  EXPECT_EQ(tensor.at({1, 2}), 9.0F);
}

TEST(XtensorView, StartsAtTheViewsFirstCell) {
  const Tensor row = counting({3, 4}).select(0, 1);
  EXPECT_EQ(cells<1>(row)(0), 5.0F);
}

// The same expression with the maximum left lazy, cells<2>(s) - xt::amax(cells<2>(s), {1},
// xt::keep_dims), sums to 11 and reads past the end: see xtensor_view.hpp. It is not carried out
// here, since the sanitizers would stop the tests.
TEST(XtensorView, AReducerWithANameBroadcasts) {
  const Tensor s = counting({3, 4});
  const xt::xtensor<float, 2> maximum = xt::amax(cells<2>(s), {1}, xt::keep_dims);
  const xt::xtensor<float, 2> difference = cells<2>(s) - maximum;
  float sum = 0.0F;
  for (const float cell : difference) sum += cell;
  EXPECT_EQ(sum, -18.0F);
}

}  // namespace
}  // namespace attention
