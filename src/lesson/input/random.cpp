#include "lesson/input/random.hpp"

#include <cmath>
#include <string>

namespace lesson {

using tensor::Shape;
using tensor::Tensor;

namespace {

/// Exact, since numbers have few decimals here.
double power_of_ten(unsigned exponent) {
  double power = 1.0;
  for (unsigned i = 0; i < exponent; ++i) power *= 10.0;
  return power;
}

/// n / 10^decimals: the float nearest to that decimal number, because one division rounds once.
float decimal(std::int32_t n, unsigned decimals) {
  return static_cast<float>(n) / static_cast<float>(power_of_ten(decimals));
}

Tensor spread(const Shape& shape, double bound, unsigned decimals, Random& random) {
  const auto limit = static_cast<std::int32_t>(std::floor(bound * power_of_ten(decimals)));
  Tensor tensor(shape);
  float* cell = tensor.mutable_data();
  for (std::size_t i = 0; i < tensor.size(); ++i) cell[i] = decimal(random.whole(limit), decimals);
  return tensor;
}

}  // namespace

void fill_normal(Random& random, std::span<float> row) {
  // Variance of one draw from −86 … 86 is 86·87/3 = 2494; four of them, over 100²: 0.998.
  constexpr std::int32_t limit = 86;
  for (float& cell : row) {
    std::int32_t sum = 0;
    for (int draw = 0; draw < 4; ++draw) sum += random.whole(limit);
    cell = decimal(sum, 2);
  }
}

Tensor xavier_weight(std::size_t out, std::size_t in, unsigned decimals, Random random) {
  return spread({out, in}, std::sqrt(6.0 / static_cast<double>(in + out)), decimals, random);
}

Tensor small_bias(std::size_t size, Random random) { return spread({size}, 0.1, 2, random); }

model::Tensors random_weights(const Parameters& parameters, unsigned decimals, bool with_bias,
                              std::string_view name) {
  const std::size_t embed_dim = parameters.embed_dim;
  const std::size_t width_of_keys = parameters.kdim == 0 ? embed_dim : parameters.kdim;
  const model::Config config{.embed_dim = embed_dim,
                             .num_heads = parameters.num_heads,
                             .num_kv_heads = parameters.num_kv_heads,
                             .kdim = width_of_keys,
                             .vdim = width_of_keys,
                             .scale = {}};
  const ops::Lengths lengths = lengths_of(config);
  model::Tensors weights;
  for (const model::Node& row : rows_of(config, model::Mistake::none)) {
    // Weights and biases have at most two axes; inputs and the mask have more.
    if (row.operation != &ops::given || row.axes.rank() > 2) continue;
    const Random random(parameters.seed, std::string(name) + "." + std::string(name_of(row.id)));
    const Shape shape = lengths.shape_of(row.axes);
    Tensor& weight = weights[row.id];
    if (shape.rank() == 2) weight = xavier_weight(shape[0], shape[1], decimals, random);
    if (shape.rank() == 1 && with_bias) weight = small_bias(shape[0], random);
  }
  return weights;
}

}  // namespace lesson
