// What a reader can choose before training.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "training/optimizer.hpp"

namespace training {

/// A Transformer of encoder layers (norms after each half, relu) and how it is trained.
struct Settings {
  std::size_t num_layers = 1;
  std::size_t embed_dim = 32;
  std::size_t num_heads = 2;
  std::size_t feed_forward_dim = 64;
  bool causal = false;    ///< a token may attend to itself and to earlier ones only
  bool positions = true;  ///< position encodings are added to the embeddings
  bool scaled = true;     ///< scores are divided by √D

  Method method = Method::adam;
  float learning_rate = 0.003F;
  std::size_t batch_size = 32;
  std::size_t steps = 400;
  std::uint32_t seed = 1;  ///< of weights and batches

  friend bool operator==(const Settings&, const Settings&) = default;
};

inline constexpr float largest_learning_rate = 10.0F;
/// What is said of any other.
std::string no_learning_rate();
inline constexpr std::size_t largest_batch_size = 256;
inline constexpr std::size_t largest_num_layers = 4;
inline constexpr std::size_t largest_embed_dim = 128;
inline constexpr std::size_t largest_steps = 100'000;

/// Whether a model can be trained so. Errors: a learning rate that is not a number above 0 and up
/// to the largest; a size that is 0, above the largest, or not divided by the number of heads.
base::Result<void> check(const Settings& settings);

}  // namespace training
