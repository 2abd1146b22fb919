#include "translation/decoding/decoder.hpp"

#include <algorithm>
#include <utility>

#include "model/roles.hpp"
#include "translation/corpus.hpp"

namespace translation {
namespace {

using base::fail;
using base::Result;
using tensor::Shape;
using tensor::Tensor;
using namespace ops;

/// x [B,1,E] · weightᵀ + bias, as the row of the table does it.
Tensor projected(const Tensor& x, const model::Tensors& weights, TensorId weight, TensorId bias) {
  Use use;
  use.operands[0] = {x, {Axis::B, Axis::Lk, Axis::E}, {}};
  use.operands[1] = {weights[weight], {Axis::A, Axis::E}, weight};
  use.operands[2] = {weights[bias], {Axis::A}, bias};
  use.count = 3;
  use.axes = {Axis::B, Axis::Lk, Axis::A};
  use.shape = {x.dim(0), x.dim(1), weights[weight].dim(0)};
  return product.forward(use);
}

/// Row from[i] of `past` [rows,L,E] and then row i of `newest` [rows,1,E].
Tensor appended(const Tensor& past, const std::vector<std::size_t>& from, const Tensor& newest) {
  const std::size_t rows = newest.dim(0);
  const std::size_t width = newest.dim(2);
  const std::size_t length = past.defined() ? past.dim(1) : 0;
  Tensor made = Tensor::uninitialized({rows, length + 1, width});
  float* to = made.mutable_data();
  for (std::size_t row = 0; row < rows; ++row) {
    if (length > 0) to = std::copy_n(past.cell({from[row], 0, 0}), length * width, to);
    to = std::copy_n(newest.cell({row, 0, 0}), width, to);
  }
  return made;
}

}  // namespace

Decoder::Decoder(const model::Transformer& transformer, const model::Weights& weights,
                 std::vector<model::Layer> layers, const Tensor& memory)
    : transformer_(transformer),
      weights_(weights),
      layers_(std::move(layers)),
      source_length_(memory.dim(1)) {
  for (const model::Layer& layer : layers_) {
    const model::Tensors& cross = layer.cross_attention;
    kept_.push_back({{},
                     {},
                     projected(memory, cross, "k_proj_weight", "k_proj_bias"),
                     projected(memory, cross, "v_proj_weight", "v_proj_bias")});
  }
}

Result<Decoder> Decoder::start(const model::Transformer& transformer, const model::Weights& weights,
                               const Tensor& source) {
  model::Transformer encoder = transformer;
  encoder.decoder_layers = 0;
  auto model = model::transformer_model(encoder, weights, {source, {}, {}});
  if (!model) return fail(model.error());
  model->pop_back();  // no logits of the source
  return Decoder(transformer, weights, model::decoder_layers(transformer, weights),
                 model::compute(*model).back()["layer_output"]);
}

Result<void> Decoder::make_layers(std::size_t rows) {
  const auto shape = [&](std::size_t length) {  // only the shape counts
    return Tensor({1, 1, 1}).expand({rows, length, transformer_.embed_dim});
  };
  std::vector<model::Layer> layers = layers_;
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    layers[i].cached_tokens = 1;
    layers[i].self_attention["k"] = layers[i].self_attention["v"] = shape(1);
    const Shape of_source{rows, source_length_, transformer_.embed_dim};
    layers[i].cross_attention["k"] = kept_[i].source_k.expand(of_source);
    layers[i].cross_attention["v"] = kept_[i].source_v.expand(of_source);
    layers[i].cross_overrides.given_weights.clear();  // pinned token by token
  }
  model::LayerOptions options;
  options.num_heads = transformer_.num_heads;
  options.scale = transformer_.scale;
  options.activation = transformer_.activation;
  options.norm_first = transformer_.norm_first;
  model::Tensors stream;
  stream[model::roles::query] = shape(1);
  model::Model model;
  auto added = model::add_decoder(stream, shape(source_length_), {}, {}, layers, options, model);
  if (!added) return added;
  const std::size_t last = model.size() - 1;
  model.push_back(model::output_part(transformer_, weights_, {}, {rows, 1}));
  model::bind(model.back(), "final", last, "layer_output");
  decoder_.emplace(std::move(model));
  rows_ = rows;
  return {};
}

void Decoder::pin_given_weights(std::size_t layer) {
  std::vector<model::Pin>& pins = decoder_->part(layer * parts_of_layer + cross_of_layer).pins;
  std::erase_if(pins, [](const model::Pin& pin) { return pin.tensor == model::roles::weights; });
  for (const model::GivenWeights& given : layers_[layer].cross_overrides.given_weights) {
    if (given.query + 1 != length_) continue;
    const Tensor weights({given.weights.size()}, given.weights);
    for (std::size_t row = 0; row < rows_; ++row)
      pins.push_back({model::roles::weights, {row, given.head, 0}, weights, Rule::given_by_hand});
  }
}

Tensor Decoder::embedded(const std::vector<std::size_t>& tokens) {
  const auto part_of = [&](const Tensor& of) {
    return model::embedding_part("target", transformer_, weights_, of);
  };
  // A token's position is its place in the whole sentence so far.
  if (transformer_.positions && (!positions_.defined() || positions_.dim(0) <= length_)) {
    const std::size_t places = 2 * length_ + 12;
    positions_ = model::compute({part_of(Tensor({1, places}))})[0]["positions"];
  }
  std::vector<std::vector<std::size_t>> newest;
  for (const std::size_t token : tokens) newest.push_back({token});
  model::Part part = part_of(padded(newest));
  if (transformer_.positions) part.trace.tensors["positions"] = positions_.narrow(0, length_, 1);
  return model::compute({std::move(part)})[0]["embedded_tokens"];
}

Result<Tensor> Decoder::step(const std::vector<std::size_t>& from,
                             const std::vector<std::size_t>& tokens) {
  if (!decoder_ || rows_ != tokens.size()) {
    if (const auto made = make_layers(tokens.size()); !made) return fail(made.error());
  }
  const Tensor x = embedded(tokens);
  ++length_;
  decoder_->forget();
  if (transformer_.norm_first) {
    decoder_->part(rows_of_layer).tensors["input"] = x;
  } else {
    decoder_->part(0).tensors[model::roles::query] = x;
  }
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    // What the attention reads of the newest token: behind the norm, where that comes first.
    const std::size_t place = i * parts_of_layer;
    pin_given_weights(i);
    const Tensor read = decoder_->at(place, model::roles::query);
    model::Trace& attention = decoder_->part(place);
    Kept& kept = kept_[i];
    kept.k =
        appended(kept.k, from, projected(read, attention.tensors, "k_proj_weight", "k_proj_bias"));
    kept.v =
        appended(kept.v, from, projected(read, attention.tensors, "v_proj_weight", "v_proj_bias"));
    attention.tensors["k"] = kept.k;
    attention.tensors["v"] = kept.v;
    attention.config.key_len = length_;
    attention.lengths[Axis::Lk] = length_;
    attention.constants.divisor =
        attention.config.scale.divisor(attention.config.head_dim(), length_);
  }
  return decoder_->at(kept_.size() * parts_of_layer, "logits");
}

}  // namespace translation
