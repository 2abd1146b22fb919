// A model that is small enough to be trained in a test, and tokens for it.
#pragma once

#include "numbers.hpp"
#include "training/learner.hpp"

namespace training {

/// An encoder and a decoder of one layer each.
inline model::Transformer small_transformer() {
  model::Transformer made;
  made.vocabulary = 7;
  made.embed_dim = 8;
  made.num_heads = 2;
  made.feed_forward = 12;
  made.encoder_layers = 1;
  made.decoder_layers = 1;
  made.tied = true;
  made.padding = 0;
  return made;
}

/// Random tokens [rows,4]; some that do not count.
inline model::TokenBatch small_batch(std::uint32_t seed, std::size_t rows = 4) {
  test::Numbers numbers(seed);
  const auto tokens = [&](std::size_t first) {
    tensor::Tensor made({rows, 4});
    float* cell = made.mutable_data();
    for (std::size_t i = 0; i < made.size(); ++i)
      cell[i] = static_cast<float>(first + numbers.below(7 - first));
    return made;
  };
  model::TokenBatch batch{tokens(1), tokens(1), tokens(0)};
  float* right = batch.right.mutable_data();
  for (std::size_t row = 0; row < rows; row += 2) right[4 * row + 3] = -1.0F;
  return batch;
}

/// The same learned numbers and memories, to the last bit.
inline void expect_same_bits(const Learner& ours, const Learner& theirs) {
  EXPECT_EQ(ours.steps(), theirs.steps());
  ASSERT_EQ(ours.names(), theirs.names());
  const auto same = [](const tensor::Tensor& a, const tensor::Tensor& b) {
    return a.defined() == b.defined() && (!a.defined() || a.has_same_bits(b));
  };
  for (std::size_t i = 0; i < ours.names().size(); ++i) {
    const Parameter& a = ours.parameters()[i];
    const Parameter& b = theirs.parameters()[i];
    EXPECT_TRUE(same(a.value, b.value)) << ours.names()[i];
    EXPECT_TRUE(same(a.mean, b.mean)) << ours.names()[i];
    EXPECT_TRUE(same(a.squares, b.squares)) << ours.names()[i];
  }
}

}  // namespace training
