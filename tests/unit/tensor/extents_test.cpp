#include "tensor/extents.hpp"

#include <gtest/gtest.h>

namespace tensor {
namespace {

TEST(Extents, HoldsItsValuesInOrder) {
  Shape shape{2, 3, 4};
  EXPECT_EQ(shape.rank(), 3U);
  EXPECT_EQ(shape[0], 2U);
  EXPECT_EQ(shape.back(), 4U);
  shape[1] = 7;
  shape.push_back(5);
  EXPECT_EQ(shape, (Shape{2, 7, 4, 5}));
}

TEST(Extents, ProductOfNothingIsOne) {
  EXPECT_EQ(Shape{}.product(), 1U);
  EXPECT_EQ((Shape{2, 3, 4}).product(), 24U);
  EXPECT_EQ((Shape{2, 0, 4}).product(), 0U);
}

TEST(Extents, EqualOnlyWithTheSameRank) {
  EXPECT_EQ(Shape{}, Shape{});
  EXPECT_FALSE((Shape{1, 2}) == (Shape{1, 2, 1}));
  EXPECT_FALSE((Shape{1, 2}) == (Shape{2, 1}));
}

TEST(Extents, FilledRepeatsOneValue) {
  EXPECT_EQ(Extents::filled(3, 5), (Extents{5, 5, 5}));
  EXPECT_EQ(Extents::filled(0, 5).rank(), 0U);
}

}  // namespace
}  // namespace tensor
