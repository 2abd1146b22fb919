#include "stage/layout/geometry.hpp"

#include <gtest/gtest.h>

namespace stage {
namespace {

TEST(Rect, HasEdgesAndAMiddle) {
  const Rect rect{10.0F, 20.0F, 30.0F, 40.0F};
  EXPECT_EQ(rect.right(), 40.0F);
  EXPECT_EQ(rect.bottom(), 60.0F);
  EXPECT_EQ(rect.centre(), (Point{25.0F, 40.0F}));
  EXPECT_FALSE(rect.empty());
  EXPECT_TRUE(Rect{}.empty());
  EXPECT_TRUE((Rect{1.0F, 1.0F, 5.0F, 0.0F}).empty());
  EXPECT_TRUE((Rect{1.0F, 1.0F, -1.0F, 5.0F}).empty());
}

// Neighbours share an edge: each point belongs to one of them only.
TEST(Rect, ContainsItsLeftAndTopEdgeOnly) {
  const Rect rect{10.0F, 20.0F, 30.0F, 40.0F};
  EXPECT_TRUE(rect.contains({10.0F, 20.0F}));
  EXPECT_TRUE(rect.contains({39.99F, 59.99F}));
  EXPECT_FALSE(rect.contains({40.0F, 30.0F}));
  EXPECT_FALSE(rect.contains({20.0F, 60.0F}));
  EXPECT_FALSE(rect.contains({9.99F, 30.0F}));
  EXPECT_FALSE(rect.contains({20.0F, 19.99F}));
  EXPECT_FALSE(Rect{}.contains({0.0F, 0.0F}));
}

TEST(Rect, IsInsetAndMoved) {
  const Rect rect{10.0F, 20.0F, 30.0F, 40.0F};
  EXPECT_EQ(rect.inset(5.0F), (Rect{15.0F, 25.0F, 20.0F, 30.0F}));
  EXPECT_EQ(rect.inset(-5.0F), (Rect{5.0F, 15.0F, 40.0F, 50.0F}));
  EXPECT_TRUE(rect.inset(15.0F).empty());
  EXPECT_EQ(rect.moved(-10.0F, 1.0F), (Rect{0.0F, 21.0F, 30.0F, 40.0F}));
}

TEST(Rect, UnitesToTheSmallestAroundBoth) {
  const Rect a{0.0F, 0.0F, 10.0F, 10.0F};
  const Rect b{20.0F, -5.0F, 5.0F, 5.0F};
  EXPECT_EQ(a.united(b), (Rect{0.0F, -5.0F, 25.0F, 15.0F}));
  EXPECT_EQ(a.united(b), b.united(a));
  EXPECT_EQ(a.united(a), a);
}

TEST(Rect, AnEmptyOneCountsForNothingInAUnion) {
  const Rect rect{10.0F, 20.0F, 30.0F, 40.0F};
  EXPECT_EQ(rect.united({}), rect);
  EXPECT_EQ(Rect{}.united(rect), rect);
  EXPECT_EQ(rect.united({500.0F, 500.0F, 0.0F, 10.0F}), rect);
}

TEST(Rect, IntersectsInWhatBothCover) {
  const Rect a{0.0F, 0.0F, 10.0F, 10.0F};
  EXPECT_EQ(a.intersected({5.0F, 6.0F, 10.0F, 10.0F}), (Rect{5.0F, 6.0F, 5.0F, 4.0F}));
  EXPECT_EQ(a.intersected({2.0F, 3.0F, 4.0F, 5.0F}), (Rect{2.0F, 3.0F, 4.0F, 5.0F}));
  EXPECT_TRUE(a.intersected({10.0F, 0.0F, 5.0F, 5.0F}).empty());
  EXPECT_TRUE(a.intersected({0.0F, 30.0F, 5.0F, 5.0F}).empty());
}

TEST(Rect, OverlapsWhereItCoversTheSame) {
  const Rect a{0.0F, 0.0F, 10.0F, 10.0F};
  EXPECT_TRUE(a.overlaps({9.0F, 9.0F, 10.0F, 10.0F}));
  EXPECT_FALSE(a.overlaps({10.0F, 0.0F, 10.0F, 10.0F}));  // only an edge in common
  EXPECT_FALSE(a.overlaps({10.0F, 10.0F, 10.0F, 10.0F}));
  EXPECT_FALSE(a.overlaps({3.0F, 3.0F, 0.0F, 4.0F}));
}

}  // namespace
}  // namespace stage
