// Seeded random numbers with few decimals, the same on every machine.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/random.hpp"
#include "lesson/examples/example.hpp"

namespace lesson {

using base::Random;

/// Fills `row` with numbers of two decimals, approximately normal with mean 0 and variance 1,
/// between −3.44 and 3.44. Each is a sum of four uniform integers: logarithms or cosines could
/// differ between machines.
void fill_normal(Random& random, std::span<float> row);

/// Weight [out,in], evenly spread over ±√(6 / (in + out)): Glorot and Bengio, 2010, as
/// torch.nn.init.xavier_uniform_. Rounded to `decimals` digits: what is printed is what is computed
/// with.
tensor::Tensor xavier_weight(std::size_t out, std::size_t in, unsigned decimals, Random random);

/// Bias [size], evenly spread over ±0.1, two decimals.
tensor::Tensor small_bias(std::size_t size, Random random);

/// Every weight and, if wanted, every bias in the table of an attention whose inputs have the width
/// embed_dim, those of keys and values kdim, where it is chosen. Another `name` gives other
/// numbers.
model::Tensors random_weights(const Parameters& parameters, unsigned decimals, bool with_bias,
                              std::string_view name);

}  // namespace lesson
