// Attentions of several shapes, with made-up numbers.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <initializer_list>
#include <utility>

#include "model/attention/attention_part.hpp"
#include "model/gradients.hpp"
#include "numbers.hpp"

namespace model {

using tensor::Extents;
using tensor::Index;
using tensor::Shape;
using tensor::Tensor;
using test::Array;
using test::counting;
using test::expect_close;
using test::expect_values;
using test::Numbers;

/// What an attention is computed from.
struct Problem {
  Tensors given;
  Options options;
};

/// What an attention is given: inputs, a mask or none, and weights or none.
inline Tensors inputs_of(const Tensor& query, const Tensor& key, const Tensor& value,
                         const Tensor& mask = {}, Tensors weights = {}) {
  weights["query_input"] = query;
  weights["key_input"] = key;
  weights["value_input"] = value;
  weights["mask"] = mask;
  return weights;
}

/// The same tokens ask, are asked and answer.
inline Tensors self_inputs(const Tensor& x, const Tensor& mask = {}, Tensors weights = {}) {
  return inputs_of(x, x, x, mask, std::move(weights));
}

inline Tensors joined(Tensors given, const Tensors& others) {
  for (const TensorId id : others.present()) given[id] = others[id];
  return given;
}

/// One attention, from scratch; where it is refused, the test fails.
inline Trace computed(const Tensors& given, const Options& options) {
  base::Result<Trace> trace = multi_head_attention(given, options);
  EXPECT_TRUE(trace.has_value()) << (trace ? "" : trace.error().message);
  return trace ? *std::move(trace) : Trace();
}

/// The same with the gradients of half the squared distance of its output to `target`.
inline Trace computed_with_gradients(const Tensors& given, const Options& options,
                                     const Tensor& target) {
  base::Result<Part> part = attention_part(given, options);
  EXPECT_TRUE(part.has_value()) << (part ? "" : part.error().message);
  if (!part) return {};
  Model model{*std::move(part)};
  add_squared_distance(model, 0, "output", target);
  add_gradients(model, 0, "loss");
  return compute(model).front();
}

inline Options with_mistake(std::size_t heads, Mistake mistake) {
  return {heads, {}, {{}, {}, mistake}};
}

/// Random weights [E,E], [E,kdim], [E,vdim], [E,E], each of a size that keeps scores near 1;
/// `kv_width`: another width of k and v than E.
inline Tensors random_weights(Numbers& numbers, std::size_t embed_dim, std::size_t kdim,
                              std::size_t vdim, bool with_bias, std::size_t kv_width = 0) {
  if (kv_width == 0) kv_width = embed_dim;
  const auto weight = [&](std::size_t in, std::size_t out) {
    Tensor tensor = numbers.tensor({out, in});
    const float bound = std::sqrt(3.0F / static_cast<float>(in));
    float* cell = tensor.mutable_data();
    for (std::size_t i = 0; i < tensor.size(); ++i) cell[i] *= bound;
    return tensor;
  };
  Tensors weights;
  weights["q_proj_weight"] = weight(embed_dim, embed_dim);
  weights["k_proj_weight"] = weight(kdim, kv_width);
  weights["v_proj_weight"] = weight(vdim, kv_width);
  weights["out_proj_weight"] = weight(embed_dim, embed_dim);
  if (with_bias) {
    weights["q_proj_bias"] = numbers.tensor({embed_dim});
    weights["k_proj_bias"] = numbers.tensor({kv_width});
    weights["v_proj_bias"] = numbers.tensor({kv_width});
    weights["out_proj_bias"] = numbers.tensor({embed_dim});
  }
  return weights;
}

struct Sizes {
  std::size_t batch, query_len, key_len, heads, head_dim;
  bool self, projections, biases;
};

// Blocks of the product (256) begin and end inside; odd sizes.
inline constexpr std::array<Sizes, 8> all_sizes{{{1, 3, 3, 2, 3, true, true, true},
                                                 {2, 9, 9, 3, 5, true, true, false},
                                                 {1, 67, 67, 2, 8, true, true, true},
                                                 {3, 4, 6, 2, 4, false, true, true},
                                                 {1, 5, 5, 1, 6, true, false, false},
                                                 {2, 17, 17, 3, 7, true, true, true},
                                                 {1, 9, 16, 2, 16, false, true, true},
                                                 {1, 2, 20, 2, 130, false, true, true}}};

inline Problem made_up(const Sizes& sizes, Numbers& numbers) {
  const std::size_t E = sizes.heads * sizes.head_dim;
  const Tensor query = numbers.tensor({sizes.batch, sizes.query_len, E});
  const Tensor key = sizes.self ? query : numbers.tensor({sizes.batch, sizes.key_len, E});
  Tensors weights;
  if (sizes.projections) weights = random_weights(numbers, E, E, E, sizes.biases);
  return {inputs_of(query, key, key, {}, std::move(weights)), {sizes.heads, {}, {}}};
}

}  // namespace model
