#include "model/attention/config.hpp"

#include <gtest/gtest.h>

namespace model {
namespace {

TEST(Config, ScaleDivides) {
  EXPECT_EQ((Scale{Scale::Kind::none, 9.0F}).divisor(64, 9), 1.0F);
  EXPECT_EQ((Scale{Scale::Kind::sqrt_head_dim}).divisor(64, 9), 8.0F);
  EXPECT_EQ((Scale{Scale::Kind::sqrt_keys}).divisor(64, 9), 3.0F);
  EXPECT_EQ((Scale{Scale::Kind::number, 2.5F}).divisor(64, 9), 2.5F);
  EXPECT_EQ(Scale{}.kind, Scale::Kind::sqrt_head_dim);
}

TEST(Config, HeadsShareTheWidth) {
  Config config;
  EXPECT_EQ(config.head_dim(), 0U) << "not one head";
  config.embed_dim = 512;
  config.num_heads = 8;
  EXPECT_EQ(config.head_dim(), 64U);
}

TEST(Config, ListsDivisors) {
  EXPECT_EQ(describe_divisors(1, 256), "1");
  EXPECT_EQ(describe_divisors(6, 256), "1, 2, 3, 6");
  EXPECT_EQ(describe_divisors(13, 256), "1, 13");
  EXPECT_EQ(describe_divisors(512, 256), "1, 2, 4, 8, 16, 32, 64, 128, 256");
}

}  // namespace
}  // namespace model
