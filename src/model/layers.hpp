// Encoder and decoder layers: the three attentions of a Transformer, chained. Names as
// torch.nn.TransformerEncoderLayer.
#pragma once

#include "model/attention/attention_part.hpp"

namespace model {

enum class Activation : unsigned char { relu, gelu };  ///< gelu: x·Φ(x), the exact form with erf

struct LayerOptions {
  std::size_t num_heads = 1;
  Scale scale;
  Activation activation = Activation::relu;
  bool norm_first = false;  ///< false: norm(x + f(x)) as in the paper; true: x + f(norm(x))
};

/// What one layer has learned, and what is done to it on purpose.
struct Layer {
  Tensors weights;          ///< of the steps around: norms and feed-forward, as its table says
  Tensors self_attention;   ///< weights and biases
  Tensors cross_attention;  ///< of a decoder
  Overrides self_overrides = {};
  Overrides cross_overrides = {};
};

/// Adds encoder layers to a model, one after another: for layer i the parts
/// "encoder.i.self_attention" and "encoder.i". `x`: query_input [B,L,E] of the first layer, or the
/// token_embedding that it is made of. Errors: as attention_part; a norm or a feed-forward layer
/// that does not fit. `model` is to be thrown away then.
base::Result<void> add_encoder(const Tensors& x, const tensor::Tensor& mask,
                               const std::vector<Layer>& layers, const LayerOptions& options,
                               Model& model);

/// The same for decoder layers: "decoder.i.self_attention", "decoder.i.cross_attention" and
/// "decoder.i". K and V of every cross-attention are the output of the model's last part, which has
/// the shape of `memory` [B,Ls,E]; or `memory` itself where the model is empty.
base::Result<void> add_decoder(const Tensors& x, const tensor::Tensor& memory,
                               const tensor::Tensor& self_mask, const tensor::Tensor& cross_mask,
                               const std::vector<Layer>& layers, const LayerOptions& options,
                               Model& model);

}  // namespace model
