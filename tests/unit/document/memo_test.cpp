#include "document/memo.hpp"

#include <gtest/gtest.h>

#include <string>

namespace {

TEST(Memo, MakesAValueOnceForAKeyAndForgetsTheOneBefore) {
  document::Memo<int, std::string> memo;
  EXPECT_TRUE(memo.empty());
  int made = 0;
  const auto of = [&](int key) {
    return memo.of(key, [&] {
      ++made;
      return std::to_string(key);
    });
  };
  EXPECT_EQ(of(1), "1");
  EXPECT_EQ(of(1), "1");
  EXPECT_EQ(made, 1);
  EXPECT_EQ(of(2), "2");
  EXPECT_TRUE(memo.has(2));
  EXPECT_FALSE(memo.has(1));
  EXPECT_EQ(of(1), "1");
  EXPECT_EQ(made, 3);
}

}  // namespace
