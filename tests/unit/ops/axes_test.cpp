#include "ops/axes.hpp"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace ops {
namespace {

using enum Axis;

TEST(Axes, KnowWhereALetterStands) {
  constexpr Axes axes{B, H, Lq, D};
  EXPECT_EQ(axes.rank(), 4U);
  EXPECT_EQ(axes[2], Lq);
  EXPECT_EQ(axes.place_of(D), 3U);
  EXPECT_EQ(axes.place_of(Lk), axes.rank());
  EXPECT_TRUE(axes.has(B));
  EXPECT_FALSE(axes.has(none));
  EXPECT_EQ(axes, (Axes{B, H, Lq, D}));
  EXPECT_NE(axes, (Axes{B, Lq, H, D}));
  EXPECT_NE(axes, (Axes{B, H, Lq}));
}

TEST(Axes, AreWrittenAsTheyArePrinted) {
  EXPECT_EQ(name_of(Lk), "Lk");
  EXPECT_EQ(name_of(vdim), "vdim");
  EXPECT_EQ(name_of(F), "F");
  EXPECT_EQ(name_of(A), name_of(E)) << "as many numbers, and written so";
  std::set<std::string> names;
  for (std::size_t axis = 0; axis < axis_count; ++axis)
    names.emplace(name_of(static_cast<Axis>(axis)));
  EXPECT_EQ(names.size(), axis_count - 1);
}

TEST(Axes, LengthsMakeAShape) {
  Lengths lengths;
  lengths[B] = 2;
  lengths[D] = 5;
  EXPECT_EQ(lengths.shape_of({D, B, Lq}), (tensor::Shape{5, 2, 0}));
  EXPECT_EQ(lengths.shape_of({}), tensor::Shape{});
}

}  // namespace
}  // namespace ops
