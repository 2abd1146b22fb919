// Encoder and decoder layers of a Transformer, with the names that PyTorch gives their weights.
#pragma once

#include <optional>

#include "model/attention/attention_part.hpp"

namespace model {

enum class Activation : unsigned char { relu, gelu };  ///< gelu: x·Φ(x), the exact form with erf

/// A tensor that another part of the model computes.
struct Origin {
  std::size_t part = 0;  ///< its place in the model
  TensorId tensor;
};

struct LayerOptions {
  std::size_t num_heads = 1;
  Scale scale = {};
  Activation activation = Activation::relu;
  bool norm_first = false;  ///< false: norm(x + f(x)) as in the paper; true: x + f(norm(x))
  /// What the first layer reads; only the shape of `x` counts then.
  std::optional<Origin> input = {};
  float dropout = 0.0F;  ///< while training; each part then needs its seeds: tables/tokens.hpp
};

/// The weights of one layer, and what is changed in its attentions on purpose.
struct Layer {
  Tensors weights;          ///< of the norms and the feed-forward layer, as in the table
  Tensors self_attention;   ///< weights and biases
  Tensors cross_attention;  ///< of a decoder
  Overrides self_overrides = {};
  Overrides cross_overrides = {};
  /// Above 0: `self_attention` has k and v of this many tokens, and they are not computed. A
  /// decoder that goes on token by token keeps them (a KV cache); x is its newest token alone then.
  std::size_t cached_tokens = 0;
  /// Instead of the masks of all layers.
  std::optional<tensor::Tensor> self_mask = {};
  std::optional<tensor::Tensor> cross_mask = {};
};

/// Adds encoder layers to a model: for layer i the parts "encoder.i.self_attention" and
/// "encoder.i". `x` holds the input of the first layer [B,L,E] as query_input, or as
/// token_embedding if positions are to be added. Errors: as attention_part; norms or a feed-forward
/// layer whose shapes do not fit. After an error `model` must not be used.
base::Result<void> add_encoder(const Tensors& x, const tensor::Tensor& mask,
                               const std::vector<Layer>& layers, const LayerOptions& options,
                               Model& model);

/// The same for decoder layers: "decoder.i.self_attention", "decoder.i.cross_attention" and
/// "decoder.i". Keys and values of every cross-attention are the output of the last encoder layer
/// in `model`, whose shape is that of `memory` [B,Ls,E], or `memory` itself if the model is empty.
base::Result<void> add_decoder(const Tensors& x, const tensor::Tensor& memory,
                               const tensor::Tensor& self_mask, const tensor::Tensor& cross_mask,
                               const std::vector<Layer>& layers, const LayerOptions& options,
                               Model& model);

}  // namespace model
