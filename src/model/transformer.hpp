// A Transformer that reads tokens and writes tokens: embeddings, layers, and a logit for each token
// of the vocabulary.
#pragma once

#include <map>
#include <string>

#include "model/layers.hpp"

namespace model {

/// Sizes and options. Without decoder layers the encoder's output makes the logits.
struct Transformer {
  std::size_t vocabulary = 0;    ///< V: how many tokens there are
  std::size_t embed_dim = 0;     ///< E
  std::size_t num_heads = 1;     ///< H
  std::size_t feed_forward = 0;  ///< F
  std::size_t encoder_layers = 0;
  std::size_t decoder_layers = 0;
  Activation activation = Activation::relu;
  bool norm_first = false;
  bool causal = false;    ///< no token of the encoder sees a later one
  bool positions = true;  ///< sinusoidal position encodings are added to the embeddings
  bool tied = false;  ///< vocabulary.weight is embedding.weight, and vocabulary.bias is not there
  bool scaled_embedding = true;  ///< embeddings are multiplied by √E: section 3.4 of the paper
  Scale scale = {};
  int padding = -1;      ///< the token that is hidden from everyone; −1: none
  float dropout = 0.0F;  ///< while training
  float label_smoothing = 0.0F;
};

/// Every weight under the name of its part and its own: "encoder.0.self_attention.q_proj_weight",
/// "encoder.0.linear1.weight", "embedding.weight", "vocabulary.weight".
using Weights = std::map<std::string, tensor::Tensor>;

/// The shape of every weight that such a Transformer has, as their tables say.
std::map<std::string, tensor::Shape> weight_shapes(const Transformer& transformer);

/// Tokens as floats; a tensor that is not needed may be undefined.
struct TokenBatch {
  tensor::Tensor source;  ///< [B,Ls]
  tensor::Tensor target;  ///< [B,Lt]: what the decoder reads
  tensor::Tensor right;   ///< [B,L]: what the logits should say; −1: does not count
};

/// The weights of the encoder's layers, as add_encoder takes them.
std::vector<Layer> encoder_layers(const Transformer& transformer, const Weights& weights);
/// The same of the decoder.
std::vector<Layer> decoder_layers(const Transformer& transformer, const Weights& weights);

/// The model that computes logits from these tokens, and the loss where `right` is given (the last
/// part, "output"). Its other parts are "source", "target" (of a decoder),
/// "encoder.0.self_attention", "encoder.0" and so on. Errors: weights that are missing or have
/// another shape, tokens outside the vocabulary, sides that do not fit each other, sizes over
/// Limits.
base::Result<Model> transformer_model(const Transformer& transformer, const Weights& weights,
                                      const TokenBatch& batch);

// Parts of it by themselves, for a decoder that goes on token by token.

/// What the first layer reads, embedded_tokens [B,L,E], of tokens [B,L]: "source" or "target".
Part embedding_part(const std::string& name, const Transformer& transformer, const Weights& weights,
                    const tensor::Tensor& tokens);
/// The logits of tokens of this shape [B,L], and the loss where `right` is defined. Its tensor
/// `final` [B,L,E] is to be given.
Part output_part(const Transformer& transformer, const Weights& weights,
                 const tensor::Tensor& right, const tensor::Shape& tokens);

/// The name of a weight of a part, in Weights.
std::string weight_name(const std::string& part, TensorId weight);

}  // namespace model
