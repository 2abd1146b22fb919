#include "tensor/tensor.hpp"

#include <gtest/gtest.h>

namespace tensor {
namespace {

TEST(Describe, WritesAShape) {
  EXPECT_EQ(describe({}), "[]");
  EXPECT_EQ(describe({7}), "[7]");
  EXPECT_EQ(describe({2, 3, 6}), "[2,3,6]");
}

}  // namespace
}  // namespace tensor
