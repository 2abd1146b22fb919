#include "files/layers/attention_weights.hpp"

#include <limits>
#include <numeric>

#include <gtest/gtest.h>

namespace files {
namespace {

/// GPT-2's attention with embed_dim 2: c_attn [2,6] of 0, 1, …, 11; c_proj [2,2] of 12 … 15.
FoundAttention small_gpt2() {
  Header header;
  header.entries = {{"c_attn.weight", "F32", {2, 6}, 0, 48},
                    {"c_proj.weight", "F32", {2, 2}, 48, 64}};
  return find_attentions(header).attentions.at(0);
}

std::vector<float> counting_numbers(std::size_t count) {
  std::vector<float> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0.0F);
  return numbers;
}

base::Result<model::Tensors> read(const std::vector<float>& numbers) {
  return weights_of(small_gpt2(), std::as_bytes(std::span(numbers)));
}

TEST(AttentionWeights, TransposedWeightsAreTurned) {
  const auto weights = read(counting_numbers(16));
  ASSERT_TRUE(weights) << weights.error().message;
  EXPECT_EQ((*weights)["q_proj_weight"].values(), (std::vector<float>{0, 6, 1, 7}));
  EXPECT_EQ((*weights)["v_proj_weight"].values(), (std::vector<float>{4, 10, 5, 11}));
  EXPECT_EQ((*weights)["out_proj_weight"].values(), (std::vector<float>{12, 14, 13, 15}));
  EXPECT_TRUE((*weights)["v_proj_weight"].is_contiguous());
  EXPECT_FALSE(weights->has("q_proj_bias"));
}

TEST(AttentionWeights, WhatIsNotFiniteOrNotThereIsSaid) {
  std::vector<float> numbers = counting_numbers(16);
  numbers[8] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(read(numbers).error().message,
            "\"c_attn.weight\" is NaN at [1,2]; every number must be finite in float32.");
  numbers.pop_back();
  EXPECT_EQ(read(numbers).error().message, "60 bytes of this attention were read; it has 64.");
}

}  // namespace
}  // namespace files
