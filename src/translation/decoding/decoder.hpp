// Decoding token by token with the keys and values of earlier tokens kept.
#pragma once

#include <optional>
#include <vector>

#include "model/transformer.hpp"

namespace translation {

/// Several translations of one sentence that are followed at the same time.
class Decoder {
 public:
  /// For what the encoder made of the source, `memory` [1,Ls,E]. `layers`: those of the decoder, as
  /// model::decoder_layers makes them. Heads of theirs may be switched off, and rows of their
  /// cross-attentions' weights set by hand; nothing may let a token change what earlier ones
  /// computed.
  Decoder(const model::Transformer& transformer, const model::Weights& weights,
          std::vector<model::Layer> layers, const tensor::Tensor& memory);

  /// Reads the source [1,Ls] with the encoder. Errors: as model::transformer_model.
  static base::Result<Decoder> start(const model::Transformer& transformer,
                                     const model::Weights& weights, const tensor::Tensor& source);

  /// Goes on from row `from[i]` of the last step with the token `tokens[i]`, for each i. Returns
  /// the logits of what comes next, [rows,1,V]. Errors: as model::add_decoder.
  base::Result<tensor::Tensor> step(const std::vector<std::size_t>& from,
                                    const std::vector<std::size_t>& tokens);

 private:
  /// What is kept of one layer: keys and values, [rows,L,E] of earlier tokens, [1,Ls,E] of the
  /// source.
  struct Kept {
    tensor::Tensor k, v;
    tensor::Tensor source_k, source_v;
  };
  // The parts of layer i of `decoder_` are 3 · i and the two behind it.
  static constexpr std::size_t parts_of_layer = 3;
  static constexpr std::size_t cross_of_layer = 1;
  static constexpr std::size_t rows_of_layer = 2;  ///< behind both attentions

  /// Makes `decoder_`, for the newest token of this many rows.
  base::Result<void> make_layers(std::size_t rows);
  /// Pins the weights of layer `layer` that are set by hand for the newest token.
  void pin_given_weights(std::size_t layer);
  /// What the first layer reads of the newest tokens, [rows,1,E].
  tensor::Tensor embedded(const std::vector<std::size_t>& tokens);

  model::Transformer transformer_;
  const model::Weights& weights_;
  std::vector<model::Layer> layers_;
  std::size_t source_length_ = 0;
  std::vector<Kept> kept_;
  std::optional<model::Evaluator> decoder_;  ///< all layers and the logits
  std::size_t rows_ = 0;                     ///< that decoder_ is for
  std::size_t length_ = 0;                   ///< of the translations so far, begin included
  tensor::Tensor positions_;                 ///< [places,E], at least one more than are read so far
};

}  // namespace translation
