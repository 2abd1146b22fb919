// Seeded numbers that come out the same on every machine, and that are short enough to be read.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/layers.hpp"

namespace lesson {

/// A stream of random bits that depends on a seed and a name only. Each tensor and each word has a
/// stream of its own, so that what one of them draws does not depend on what was drawn before it.
/// SplitMix64: Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", 2014.
class Random {
 public:
  Random(std::uint32_t seed, std::string_view name);

  std::uint64_t bits();
  /// A whole number from −limit to limit, all equally likely. limit < 2^31.
  std::int32_t whole(std::int32_t limit);

 private:
  std::uint64_t state_;
};

/// Fills `row` with numbers of two decimals, roughly normal with mean 0 and variance 1 (a sum of
/// four equally likely ones: whole numbers only, so no machine's logarithm or cosine can change a
/// digit). They lie between −3.44 and 3.44.
void fill_normal(Random& random, std::span<float> row);

/// Weight [out,in], evenly spread over ±√(6 / (in + out)): Glorot and Bengio, 2010, as
/// torch.nn.init.xavier_uniform_. Rounded to `decimals` digits: what is printed is what is computed
/// with.
tensor::Tensor xavier_weight(std::size_t out, std::size_t in, unsigned decimals, Random random);

/// Bias [size], evenly spread over ±0.1, two decimals.
tensor::Tensor small_bias(std::size_t size, Random random);

/// Every weight and, where wanted, every bias that the attention's table has, all as wide as
/// embed_dim, but k and v as wide as `kv_width` where that is not 0. `name` keeps them apart from
/// those of other attentions.
model::Tensors random_weights(std::size_t embed_dim, unsigned decimals, bool with_bias,
                              std::uint32_t seed, std::string_view name, std::size_t kv_width = 0);

}  // namespace lesson
