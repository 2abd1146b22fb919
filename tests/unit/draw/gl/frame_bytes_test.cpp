#include "draw/gl/frame_bytes.hpp"

#include <gtest/gtest.h>

namespace {

using draw::FrameBytes;

TEST(FrameBytes, AreTheSameForTheSameValuesInTheSameOrder) {
  FrameBytes one;
  FrameBytes other;
  EXPECT_EQ(one, other);
  one.add(std::vector<int>{1, 2});
  one.add(0.5F);
  other.add(std::vector<int>{1, 2});
  EXPECT_FALSE(one == other);
  other.add(0.5F);
  EXPECT_EQ(one, other);
}

TEST(FrameBytes, TellWhereOneListEnds) {
  FrameBytes one;
  one.add(std::vector<int>{1, 2});
  one.add(std::vector<int>{3});
  FrameBytes other;
  other.add(std::vector<int>{1});
  other.add(std::vector<int>{2, 3});
  EXPECT_FALSE(one == other);
}

}  // namespace
