#include "model/attention/rope_frequencies.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace model {
namespace {

using Kind = RopeScaling::Kind;

Variants scaled(RopeScaling scaling) { return {.rope_base = 10000.0F, .rope_scaling = scaling}; }

TEST(RopeFrequencies, LinearDividesAll) {
  const auto plain = rope_frequencies(scaled({}), 8);
  const auto scaled_ones = rope_frequencies(scaled({.kind = Kind::linear, .factor = 4.0F}), 8);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(plain.at({i}), std::pow(10000.0, -2.0 * static_cast<double>(i) / 8.0), 1e-7);
    EXPECT_FLOAT_EQ(scaled_ones.at({i}), plain.at({i}) / 4.0F);
  }
}

// Fast pairs stay, slow ones are divided by the factor, as the models' papers say.
TEST(RopeFrequencies, KeepFastPairs) {
  for (const Kind kind : {Kind::llama3, Kind::yarn}) {
    const auto plain = rope_frequencies(scaled({}), 64);
    const auto made = rope_frequencies(scaled({.kind = kind, .factor = 8.0F}), 64);
    EXPECT_FLOAT_EQ(made.at({0}), plain.at({0}));
    EXPECT_FLOAT_EQ(made.at({31}), plain.at({31}) / 8.0F);
    for (std::size_t i = 0; i < 32; ++i) {
      EXPECT_LE(made.at({i}), plain.at({i}) * 1.000001F);
      EXPECT_GE(made.at({i}), plain.at({i}) / 8.000001F);
    }
  }
}

TEST(RopeFrequencies, OfYarnHaveAFactor) {
  EXPECT_FLOAT_EQ(attention_factor(scaled({.kind = Kind::yarn, .factor = 4.0F})),
                  static_cast<float>(0.1 * std::log(4.0) + 1.0));
  EXPECT_EQ(attention_factor(scaled({.kind = Kind::llama3, .factor = 4.0F})), 1.0F);
  EXPECT_EQ(attention_factor({.rope_base = 10.0F, .rope_attention_factor = 2.0F}), 2.0F);
}

}  // namespace
}  // namespace model
