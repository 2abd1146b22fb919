#include "stage/figures/arrow_plane.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "stage/scenes.hpp"

namespace stage {
namespace {

using model::TensorId;
using tensor::Tensor;

template <typename Check>
void for_each_plane(Check check) {
  for (const Scene* scene : all_scenes()) {
    const model::Trace& trace = scene->attention.trace;
    const std::size_t head = trace.config.num_heads - 1;
    const Tensor queries = trace["q_heads"].select(0, 0).select(0, head);
    const Tensor keys = trace["k_heads"].select(0, 0).select(0, head);
    for (std::size_t query = 0; query < queries.dim(0); query += 5) {
      const Tensor q = queries.select(0, query);
      const std::size_t chosen = (query + 1) % keys.dim(0);
      check(q, keys, arrow_plane(q, keys, chosen), chosen);
      if (testing::Test::HasFailure()) FAIL() << scene->name << ", query " << query;
    }
  }
}

double length(Point p) { return std::hypot(static_cast<double>(p.x), static_cast<double>(p.y)); }

TEST(ArrowPlane, AlongTheQueryTimesItsLengthIsTheDotProduct) {
  for_each_plane([](const Tensor& q, const Tensor& keys, const ArrowPlane& plane, std::size_t) {
    for (std::size_t key = 0; key < keys.dim(0); ++key) {
      double dot = 0.0;
      for (std::size_t d = 0; d < q.dim(0); ++d)
        dot += static_cast<double>(q.at({d})) * static_cast<double>(keys.at({key, d}));
      const Point k = plane.keys[key];
      const double drawn = static_cast<double>(k.x) * static_cast<double>(plane.query.x) +
                           static_cast<double>(k.y) * static_cast<double>(plane.query.y);
      const double size = plane.query_length * plane.key_lengths[key];
      EXPECT_NEAR(drawn, dot, 1e-5 * (1.0 + size));
      EXPECT_NEAR(plane.dots[key], dot, 1e-9 * (1.0 + size));
    }
    EXPECT_NEAR(length(plane.query), plane.query_length, 1e-5 * (1.0 + plane.query_length));
  });
}

TEST(ArrowPlane, NoArrowIsDrawnLongerThanItIsAndTheChosenOneAsLongAsItIs) {
  for_each_plane([](const Tensor&, const Tensor&, const ArrowPlane& plane, std::size_t chosen) {
    for (std::size_t key = 0; key < plane.keys.size(); ++key) {
      const double drawn = length(plane.keys[key]);
      EXPECT_LE(drawn, plane.key_lengths[key] * (1.0 + 1e-5) + 1e-6);
      if (plane.exact || key == chosen) {
        EXPECT_NEAR(drawn, plane.key_lengths[key], 1e-5 * (1.0 + drawn));
      }
    }
  });
}

TEST(ArrowPlane, TwoDimensionsAreShownAsTheyAre) {
  const Tensor keys({3, 2}, {1.0F, 2.0F, -0.5F, 0.0F, 3.0F, -4.0F});
  const ArrowPlane plane = arrow_plane(Tensor({2}, {0.6F, -0.8F}), keys, 0);
  EXPECT_TRUE(plane.exact);
  EXPECT_EQ(plane.query, (Point{0.6F, -0.8F}));
  EXPECT_EQ(plane.keys[2], (Point{3.0F, -4.0F}));
  EXPECT_NEAR(plane.query_length, 1.0, 1e-7);
  EXPECT_NEAR(plane.key_lengths[2], 5.0, 1e-9);
  EXPECT_NEAR(plane.dots[2], 5.0, 1e-6);
}

TEST(ArrowPlane, OneDimensionIsALine) {
  const ArrowPlane plane = arrow_plane(Tensor({1}, {2.0F}), Tensor({2, 1}, {3.0F, -1.0F}), 0);
  EXPECT_TRUE(plane.exact);
  EXPECT_EQ(plane.keys[0], (Point{3.0F, 0.0F}));
  EXPECT_EQ(plane.keys[1], (Point{-1.0F, 0.0F}));
  EXPECT_EQ(plane.dots[1], -2.0);
}

// Another key's arrow may be hidden by where the plane lies, the chosen one's never.
TEST(ArrowPlane, TheSecondAxisLeadsToTheChosenKey) {
  const Tensor keys({3, 3}, {0.0F, 3.0F, 0.0F, 0.0F, 0.0F, 2.7F, 1.0F, 0.0F, 0.0F});
  const Tensor query({3}, {3.0F, 0.0F, 0.0F});
  const ArrowPlane plane = arrow_plane(query, keys, 1);
  EXPECT_TRUE(plane.towards_chosen);
  EXPECT_EQ(plane.keys[1], (Point{0.0F, 2.7F}));
  EXPECT_EQ(plane.keys[0], (Point{0.0F, 0.0F}));
  // Whichever key is chosen, the same part of the plane is seen.
  for (const std::size_t chosen : {0U, 1U, 2U}) {
    EXPECT_EQ(arrow_plane(query, keys, chosen).above, 3.0);
    EXPECT_EQ(arrow_plane(query, keys, chosen).below, 0.0);
  }
}

TEST(ArrowPlane, TheSecondAxisIsWhereTheRestSpreadsMostIfTheChosenKeyIsOnTheFirst) {
  // Across the query (the third axis) the keys lie along (3, 4, 0) / 5, but for little.
  const Tensor keys({5, 3}, {3.0F, 4.0F, 7.0F, -6.0F, -8.0F, 1.0F, 0.04F, -0.03F, 2.0F, 1.5F, 2.0F,
                             0.0F, 0.0F, 0.0F, -1.0F});
  const ArrowPlane plane = arrow_plane(Tensor({3}, {0.0F, 0.0F, 2.0F}), keys, 4);
  EXPECT_FALSE(plane.towards_chosen);
  EXPECT_FALSE(plane.exact);
  EXPECT_NEAR(plane.keys[0].x, 7.0F, 1e-5F);
  // The key that lies farthest out is on the positive side.
  EXPECT_NEAR(plane.keys[1].y, 10.0F, 1e-3F);
  EXPECT_NEAR(plane.keys[0].y, -5.0F, 1e-3F);
  EXPECT_NEAR(plane.keys[2].y, 0.0F, 1e-2F);
}

TEST(ArrowPlane, IsTheSameEachTime) {
  for_each_plane(
      [](const Tensor& q, const Tensor& keys, const ArrowPlane& plane, std::size_t chosen) {
        EXPECT_EQ(arrow_plane(q, keys, chosen).keys, plane.keys);
      });
}

TEST(ArrowPlane, AQueryOfZeroLeavesItsKeysInPlace) {
  const Tensor keys({2, 3}, {1.0F, 2.0F, 2.0F, 0.5F, 0.0F, 0.0F});
  const ArrowPlane plane = arrow_plane(Tensor({3}, {0.0F, 0.0F, 0.0F}), keys, 0);
  EXPECT_EQ(plane.query, (Point{0.0F, 0.0F}));
  EXPECT_EQ(plane.dots[0], 0.0);
  EXPECT_GT(length(plane.keys[0]), 2.9);
}

TEST(ArrowPlane, NumbersThatAreNotFiniteStayByThemselves) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor keys({2, 3}, {nan, 2.0F, 2.0F, 0.5F, 1.0F, 0.0F});
  const ArrowPlane plane = arrow_plane(Tensor({3}, {1.0F, 0.0F, 0.0F}), keys, 1);
  EXPECT_TRUE(std::isnan(plane.keys[0].x));
  EXPECT_NEAR(plane.keys[1].x, 0.5F, 1e-6F);
  EXPECT_NEAR(plane.keys[1].y, 1.0F, 1e-6F);
}

}  // namespace
}  // namespace stage
