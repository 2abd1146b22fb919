#include "document/model_of.hpp"

#include <utility>

#include "model/layers.hpp"
#include "model/roles.hpp"

namespace document {

using base::fail;
using base::Result;
using lesson::Arrangement;
using lesson::AttentionId;
using model::Model;
using model::TensorId;
using model::Tensors;
namespace roles = model::roles;
using tensor::Tensor;

namespace {

/// The input of a sequence's first attention: its embedding, to which positions may be added.
Tensors input_of(const Tensor& embedding, bool position_encoding) {
  Tensors input;
  if (position_encoding) {
    input[roles::embedding] = embedding;
  } else {
    input[roles::query] = embedding;
  }
  return input;
}

Result<Model> alone(const Given& given) {
  const lesson::Problem& problem = given.problem;
  const bool cross = is_cross(problem.arrangement);
  const bool own_values = problem.arrangement == Arrangement::cross_values;
  const Tensor& embedding = query_sequence(problem, AttentionId::attention).embedding;
  Tensors tensors = problem.weights;
  for (const TensorId id : {roles::embedding, roles::query})
    tensors[id] = input_of(embedding, problem.position_encoding)[id];
  tensors[roles::key] = cross ? given.key_input : embedding;
  tensors[roles::value] = own_values ? given.value_input : tensors[roles::key];
  tensors[roles::mask] = given.masks.front();
  model::Options options{problem.options.num_heads, problem.options.scale, given.overrides.front(),
                         problem.num_kv_heads,      problem.variants,      problem.head_dim};
  options.variants.window = 0;  // it is in the mask already, where each cell can be edited
  auto part = model::attention_part(std::move(tensors), options);
  if (!part) return fail(part.error());
  part->trace.config.variants = problem.variants;
  if (!cross) {
    bind(*part, roles::key, 0, roles::query);
    bind(*part, roles::value, 0, roles::query);
  } else if (!own_values) {
    bind(*part, roles::value, 0, roles::key);
  }
  return Model{*std::move(part)};
}

/// A network that was trained: its encoder layers alone.
Result<Model> encoder(const Given& given) {
  const lesson::Problem& problem = given.problem;
  std::vector<model::Layer> layers = problem.encoder;
  for (std::size_t i = 0; i < layers.size(); ++i) layers[i].self_mask = given.masks[i];
  Model model;
  auto done = add_encoder(input_of(problem.source.embedding, problem.position_encoding), {}, layers,
                          problem.options, model);
  if (!done) return fail(done.error());
  return model;
}

Result<Model> encoder_decoder(const Given& given) {
  const lesson::Problem& problem = given.problem;
  const Tensor& source = problem.source.embedding;
  std::vector<model::Layer> encoder = problem.encoder;
  std::vector<model::Layer> decoder = problem.decoder;
  const auto all = problem.attentions();
  for (std::size_t place = 0; place < all.size(); ++place) {
    const std::size_t layer = layer_of(all[place]);
    const AttentionId kind = kind_of(all[place]);
    if (kind == AttentionId::encoder_self_attention) encoder[layer].self_mask = given.masks[place];
    if (kind == AttentionId::decoder_self_attention) decoder[layer].self_mask = given.masks[place];
    if (kind == AttentionId::cross_attention) decoder[layer].cross_mask = given.masks[place];
  }
  Model model;
  auto done =
      add_encoder(input_of(source, problem.position_encoding), {}, encoder, problem.options, model);
  if (!done) return fail(done.error());
  // The encoder's output, which the decoder reads, has the shape of `source`.
  done = add_decoder(input_of(problem.target.embedding, problem.position_encoding), source, {}, {},
                     decoder, problem.options, model);
  if (!done) return fail(done.error());
  return model;
}

}  // namespace

Result<Model> model_of(const Given& given) {
  const Arrangement arrangement = given.problem.arrangement;
  if (lesson::is_encoder(arrangement)) return encoder(given);
  return lesson::has_decoder(arrangement) ? encoder_decoder(given) : alone(given);
}

}  // namespace document
