// Layers with made-up numbers.
#pragma once

#include "model/layers.hpp"
#include "model/problems.hpp"

namespace model {

/// What the rows around the attentions have learned, as the table says: each given row without a
/// batch.
inline Tensors random_rows(Numbers& numbers, std::span<const Node> table, std::size_t embed_dim,
                           std::size_t width) {
  ops::Lengths lengths;
  lengths[ops::Axis::E] = embed_dim;
  lengths[ops::Axis::F] = width;
  Tensors weights;
  for (const Node& row : table) {
    if (row.operation != &ops::given || row.axes.has(ops::Axis::B)) continue;
    weights[row.id] = numbers.tensor(lengths.shape_of(row.axes));
  }
  return weights;
}

inline Layer random_encoder_layer(Numbers& numbers, std::size_t embed_dim, std::size_t width) {
  return {.weights = random_rows(numbers, nodes_of<tables::encoder_layer>, embed_dim, width),
          .self_attention = random_weights(numbers, embed_dim, embed_dim, embed_dim, true),
          .cross_attention = {}};
}

inline Layer random_decoder_layer(Numbers& numbers, std::size_t embed_dim, std::size_t memory_dim,
                                  std::size_t width) {
  return {.weights = random_rows(numbers, nodes_of<tables::decoder_layer>, embed_dim, width),
          .self_attention = random_weights(numbers, embed_dim, embed_dim, embed_dim, true),
          .cross_attention = random_weights(numbers, embed_dim, memory_dim, memory_dim, true)};
}

inline const LayerOptions every_option[] = {
    {2, {}, Activation::relu, false},
    {2, {}, Activation::relu, true},
    {3, {Scale::Kind::sqrt_keys, 1.0F}, Activation::gelu, false},
    {1, {Scale::Kind::none, 1.0F}, Activation::gelu, true}};

/// The part of a name; where there is none, the test fails.
inline const Trace& find(const std::vector<Trace>& traces, const std::string& name) {
  for (const Trace& trace : traces) {
    if (trace.name == name) return trace;
  }
  ADD_FAILURE() << "there is no " << name;
  static const Trace none;
  return none;
}

}  // namespace model
