#include "tensor/describe.hpp"

#include <gtest/gtest.h>

namespace tensor {
namespace {

TEST(Describe, WritesAShape) {
  EXPECT_EQ(describe({}), "[]");
  EXPECT_EQ(describe({7}), "[7]");
  EXPECT_EQ(describe({2, 3, 6}), "[2,3,6]");
}

TEST(Describe, ListsDivisors) {
  EXPECT_EQ(describe_divisors(1, 256), "1");
  EXPECT_EQ(describe_divisors(6, 256), "1, 2, 3, 6");
  EXPECT_EQ(describe_divisors(13, 256), "1, 13");
  EXPECT_EQ(describe_divisors(512, 256), "1, 2, 4, 8, 16, 32, 64, 128, 256");
}

}  // namespace
}  // namespace tensor
