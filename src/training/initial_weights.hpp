// Random numbers that training begins with, the same on every machine.
#pragma once

#include <cstddef>

#include "base/random.hpp"
#include "model/transformer.hpp"
#include "tensor/tensor.hpp"

namespace training {

/// Standard deviation of embeddings: somewhat less than a position encoding has, 1/√2, so that it
/// counts from the first step on where a token stands.
inline constexpr float embedding_deviation = 0.5F;

/// Weight [out,in], evenly spread over ±√(6 / (in + out)): Glorot and Bengio, 2010, as
/// torch.nn.init.xavier_uniform_.
tensor::Tensor xavier_uniform(std::size_t out, std::size_t in, base::Random random);

/// Numbers that are approximately normal, with mean 0, the given standard deviation and at most six
/// of these from 0. Each is a sum of twelve uniform ones, whose variance is 12 · 1/12: logarithms
/// or cosines could differ between machines.
tensor::Tensor normal(const tensor::Shape& shape, float standard_deviation, base::Random random);

/// What training a model begins with: weights as xavier_uniform, embeddings as normal with 1/√E or
/// `embedding_deviation`, biases 0, the factors of norms 1.
model::Weights initial_weights(const model::Transformer& transformer, std::uint32_t seed);

}  // namespace training
