#include "model/transformer.hpp"

#include <cmath>

#include "base/text.hpp"
#include "model/attention/mask.hpp"
#include "model/roles.hpp"

namespace model {
namespace {

using base::fail;
using base::Result;
using std::to_string;
using tensor::describe;
using tensor::Shape;
using tensor::Tensor;

/// A weight: given, and the same for all samples.
bool is_weight(const Node& row) {
  return row.operation == &ops::given && row.axes.rank() > 0 && !row.axes.has(Axis::B);
}

/// Calls `visit(name of the part, its rows)` for the parts that have weights.
template <typename Visit>
void for_each_part(const Transformer& transformer, Visit visit) {
  visit("", std::span<const Node>(nodes_of<tables::embedded_tokens>));
  const std::span<const Node> attention = nodes_of<tables::multi_head_attention>;
  for (std::size_t i = 0; i < transformer.encoder_layers; ++i) {
    const std::string name = "encoder." + to_string(i);
    visit(name + ".self_attention", attention);
    visit(name, std::span<const Node>(nodes_of<tables::encoder_layer>));
  }
  for (std::size_t i = 0; i < transformer.decoder_layers; ++i) {
    const std::string name = "decoder." + to_string(i);
    visit(name + ".self_attention", attention);
    visit(name + ".cross_attention", attention);
    visit(name, std::span<const Node>(nodes_of<tables::decoder_layer>));
  }
  if (!transformer.tied) visit("", std::span<const Node>(nodes_of<tables::predicted_tokens>));
}

ops::Lengths lengths_of(const Transformer& transformer) {
  ops::Lengths lengths;
  lengths[Axis::V] = transformer.vocabulary;
  lengths[Axis::F] = transformer.feed_forward;
  for (const Axis width : {Axis::E, Axis::A, Axis::kdim, Axis::vdim})
    lengths[width] = transformer.embed_dim;
  return lengths;
}

/// The weights of one part.
Tensors weights_of(const std::string& part, std::span<const Node> rows, const Weights& weights) {
  Tensors given;
  for (const Node& row : rows) {
    const auto found = is_weight(row) ? weights.find(weight_name(part, row.id)) : weights.end();
    if (found != weights.end()) given[row.id] = found->second;
  }
  return given;
}

Result<void> check(const Transformer& transformer, const Weights& weights) {
  for (const auto& [name, shape] : weight_shapes(transformer)) {
    const auto found = weights.find(name);
    if (found == weights.end()) return fail(base::text("model.weight.missing", {{"name", name}}));
    if (found->second.shape() != shape) {
      return fail(base::text("model.weight.shape", {{"name", name},
                                                    {"shape", describe(found->second.shape())},
                                                    {"wanted", describe(shape)}}));
    }
  }
  return {};
}

/// `which`: source, target or right, for the error.
Result<void> check_tokens(const std::string& which, const Tensor& tokens, float smallest,
                          std::size_t vocabulary) {
  if (!tokens.defined() || tokens.rank() != 2 || tokens.size() == 0)
    return fail(base::text("model.tokens." + which + ".axes"));
  for (const float token : tokens.values()) {
    const bool is_token =
        token >= smallest && token < static_cast<float>(vocabulary) && token == std::floor(token);
    if (!is_token) {
      return fail(base::text("model.tokens." + which + ".unknown", {{"vocabulary", vocabulary}}));
    }
  }
  return {};
}

/// [B,1,1,L]: 0, or −∞ where the token is padding; undefined without padding.
Tensor mask_of_padding(const Tensor& tokens, int padding) {
  if (padding < 0) return {};
  Tensor mask({tokens.dim(0), 1, 1, tokens.dim(1)});
  const std::vector<float> values = tokens.values();
  float* cell = mask.mutable_data();
  for (const float token : values) *cell++ = token == static_cast<float>(padding) ? hidden : 0.0F;
  return mask;
}

std::vector<Layer> layers_of(const std::string& kind, std::size_t count, std::span<const Node> rows,
                             const Weights& weights) {
  const std::span<const Node> attention = nodes_of<tables::multi_head_attention>;
  std::vector<Layer> layers;
  for (std::size_t i = 0; i < count; ++i) {
    const std::string name = kind + '.' + to_string(i);
    layers.push_back({weights_of(name, rows, weights),
                      weights_of(name + ".self_attention", attention, weights),
                      weights_of(name + ".cross_attention", attention, weights)});
  }
  return layers;
}

}  // namespace

Part embedding_part(const std::string& name, const Transformer& transformer, const Weights& weights,
                    const Tensor& tokens) {
  Part part;
  Trace& trace = part.trace;
  trace.name = name;
  const auto& rows = nodes_of<tables::embedded_tokens>;
  trace.nodes.assign(rows.begin(), rows.end());
  if (!transformer.positions) replace(trace.nodes, nodes_of<tables::without_positions>);
  trace.lengths = lengths_of(transformer);
  trace.lengths[Axis::B] = tokens.dim(0);
  trace.lengths[Axis::L] = tokens.dim(1);
  if (transformer.scaled_embedding)
    trace.constants.embedding_factor = std::sqrt(static_cast<float>(transformer.embed_dim));
  if (transformer.dropout > 0.0F) {
    trace.constants.dropout = transformer.dropout;
    const Node& dropped = *find(nodes_of<tables::dropped>, "dropped_tokens");
    trace.nodes.push_back(*find(nodes_of<tables::dropped>, dropped.of[1]));  // its seed
    trace.nodes.push_back(dropped);
  }
  trace.tensors["tokens"] = tokens;
  trace.tensors["embedding.weight"] = weights.at("embedding.weight");
  return part;
}

Part output_part(const Transformer& transformer, const Weights& weights, const Tensor& right,
                 const Shape& tokens) {
  Part part;
  Trace& trace = part.trace;
  trace.name = "output";
  const std::span<const Node> rows = nodes_of<tables::predicted_tokens>;
  trace.tensors = weights_of("", rows, weights);
  if (transformer.tied) trace.tensors["vocabulary.weight"] = weights.at("embedding.weight");
  for (const Node& row : rows) {
    Node used = row;
    if (row.operation == &ops::product && transformer.tied) used.count = 2;
    if (row.operation == &ops::cross_entropy && !right.defined()) continue;
    trace.nodes.push_back(used);
  }
  trace.lengths = lengths_of(transformer);
  trace.lengths[Axis::B] = tokens[0];
  trace.lengths[Axis::L] = tokens[1];
  trace.constants.label_smoothing = transformer.label_smoothing;
  trace.tensors["right_tokens"] = right;
  return part;
}

std::string weight_name(const std::string& part, TensorId weight) {
  const std::string name(name_of(weight));
  const bool alone = part.empty() || part == "source" || part == "target" || part == "output";
  return alone ? name : part + '.' + name;
}

std::map<std::string, Shape> weight_shapes(const Transformer& transformer) {
  const ops::Lengths lengths = lengths_of(transformer);
  std::map<std::string, Shape> shapes;
  for_each_part(transformer, [&](const std::string& part, std::span<const Node> rows) {
    for (const Node& row : rows) {
      if (is_weight(row)) shapes[weight_name(part, row.id)] = lengths.shape_of(row.axes);
    }
  });
  return shapes;
}

std::vector<Layer> encoder_layers(const Transformer& transformer, const Weights& weights) {
  return layers_of("encoder", transformer.encoder_layers, nodes_of<tables::encoder_layer>, weights);
}

std::vector<Layer> decoder_layers(const Transformer& transformer, const Weights& weights) {
  return layers_of("decoder", transformer.decoder_layers, nodes_of<tables::decoder_layer>, weights);
}

Result<Model> transformer_model(const Transformer& transformer, const Weights& weights,
                                const TokenBatch& batch) {
  if (const auto checked = check(transformer, weights); !checked) return fail(checked.error());
  const bool decodes = transformer.decoder_layers > 0;
  auto tokens = check_tokens("source", batch.source, 0.0F, transformer.vocabulary);
  if (tokens && decodes)
    tokens = check_tokens("target", batch.target, 0.0F, transformer.vocabulary);
  if (tokens && batch.right.defined())
    tokens = check_tokens("right", batch.right, -1.0F, transformer.vocabulary);
  if (!tokens) return fail(tokens.error());
  const Shape& answered = (decodes ? batch.target : batch.source).shape();
  if (batch.right.defined() && batch.right.shape() != answered) {
    return fail(base::text("model.tokens.right.shape", {{"shape", describe(batch.right.shape())},
                                                        {"wanted", describe(answered)}}));
  }

  Model model;
  model.push_back(embedding_part("source", transformer, weights, batch.source));
  if (decodes) {
    model.push_back(embedding_part("target", transformer, weights, batch.target));
    bind(model[1], "embedding.weight", 0, "embedding.weight");
  }
  const TensorId embedded =
      transformer.dropout > 0.0F ? TensorId("dropped_tokens") : TensorId("embedded_tokens");
  const auto shape_of = [&](const Tensor& of) {
    Tensors x;  // only its shape counts
    x[roles::query] = Tensor({1, 1, 1}).expand({of.dim(0), of.dim(1), transformer.embed_dim});
    return x;
  };
  LayerOptions options;
  options.num_heads = transformer.num_heads;
  options.scale = transformer.scale;
  options.activation = transformer.activation;
  options.norm_first = transformer.norm_first;
  options.input = Origin{0, embedded};
  options.dropout = transformer.dropout;
  const Tensor padding = mask_of_padding(batch.source, transformer.padding);
  Tensor mask = padding;
  if (transformer.causal)
    mask = combine_masks(mask, look_ahead_mask(batch.source.dim(1), batch.source.dim(1)));
  const Tensors source = shape_of(batch.source);
  auto added = add_encoder(source, mask, encoder_layers(transformer, weights), options, model);
  if (!added) return fail(added.error());
  if (decodes) {
    options.input = Origin{1, embedded};
    const std::size_t length = batch.target.dim(1);
    added =
        add_decoder(shape_of(batch.target), source[roles::query], look_ahead_mask(length, length),
                    padding, decoder_layers(transformer, weights), options, model);
    if (!added) return fail(added.error());
  }
  const std::size_t last = model.size() - 1;
  model.push_back(output_part(transformer, weights, batch.right, answered));
  bind(model.back(), "final", last, "layer_output");
  if (transformer.tied) bind(model.back(), "vocabulary.weight", 0, "embedding.weight");
  return model;
}

}  // namespace model
