#include "training/initial_weights.hpp"

#include <cmath>

namespace training {

using tensor::Tensor;

namespace {

/// Evenly spread from −1 to below 1, in steps that a float holds exactly.
float uniform(base::Random& random) {
  const auto drawn = static_cast<std::int32_t>(random.bits() >> 40U);
  return static_cast<float>(drawn - (1 << 23)) / static_cast<float>(1 << 23);
}

Tensor initial_weight(const model::Transformer& transformer, const std::string& name,
                      const tensor::Shape& shape, std::uint32_t seed) {
  if (name.ends_with("bias")) return Tensor(shape);
  if (shape.rank() == 1) return Tensor::full(shape, 1.0F);  // of a norm
  const base::Random random(seed, name);
  if (name == "embedding.weight") {
    const float scaled = 1.0F / std::sqrt(static_cast<float>(shape[1]));
    return normal(shape, transformer.scaled_embedding ? scaled : embedding_deviation, random);
  }
  return xavier_uniform(shape[0], shape[1], random);
}

}  // namespace

Tensor xavier_uniform(std::size_t out, std::size_t in, base::Random random) {
  const auto bound = static_cast<float>(std::sqrt(6.0 / static_cast<double>(in + out)));
  Tensor weight = Tensor::uninitialized({out, in});
  float* const cell = weight.mutable_data();
  for (std::size_t i = 0; i < weight.size(); ++i) cell[i] = bound * uniform(random);
  return weight;
}

Tensor normal(const tensor::Shape& shape, float standard_deviation, base::Random random) {
  Tensor numbers = Tensor::uninitialized(shape);
  float* const cell = numbers.mutable_data();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    float sum = 0.0F;
    for (int draw = 0; draw < 12; ++draw) sum += uniform(random);
    // A uniform number from −1 to 1 has four times the variance of one from 0 to 1.
    cell[i] = standard_deviation * sum / 2.0F;
  }
  return numbers;
}

model::Weights initial_weights(const model::Transformer& transformer, std::uint32_t seed) {
  model::Weights weights;
  for (const auto& [name, shape] : model::weight_shapes(transformer))
    weights[name] = initial_weight(transformer, name, shape, seed);
  return weights;
}

}  // namespace training
