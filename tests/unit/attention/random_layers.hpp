// Layers with made-up numbers.
#pragma once

#include "attention/helpers.hpp"
#include "attention/layers.hpp"
#include "attention/reference.hpp"

namespace attention::test {

inline LayerNorm random_norm(Numbers& numbers, std::size_t embed_dim) {
  return {numbers.tensor({embed_dim}), numbers.tensor({embed_dim})};
}

inline FeedForward random_feed_forward(Numbers& numbers, std::size_t embed_dim, std::size_t width) {
  return {numbers.tensor({width, embed_dim}), numbers.tensor({width}),
          numbers.tensor({embed_dim, width}), numbers.tensor({embed_dim})};
}

inline EncoderLayer random_encoder_layer(Numbers& numbers, std::size_t embed_dim,
                                         std::size_t width) {
  return {random_weights(numbers, embed_dim, embed_dim, embed_dim, true),
          random_feed_forward(numbers, embed_dim, width), random_norm(numbers, embed_dim),
          random_norm(numbers, embed_dim)};
}

inline DecoderLayer random_decoder_layer(Numbers& numbers, std::size_t embed_dim,
                                         std::size_t memory_dim, std::size_t width) {
  return {random_weights(numbers, embed_dim, embed_dim, embed_dim, true),
          random_weights(numbers, embed_dim, memory_dim, memory_dim, true),
          random_feed_forward(numbers, embed_dim, width),
          random_norm(numbers, embed_dim),
          random_norm(numbers, embed_dim),
          random_norm(numbers, embed_dim)};
}

inline const LayerOptions every_option[] = {
    {2, {}, Activation::relu, false},
    {2, {}, Activation::relu, true},
    {3, {Scale::Kind::sqrt_keys, 1.0F}, Activation::gelu, false},
    {1, {Scale::Kind::none, 1.0F}, Activation::gelu, true}};

}  // namespace attention::test
