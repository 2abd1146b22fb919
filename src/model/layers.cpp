#include "model/layers.hpp"

#include <optional>
#include <utility>

#include "tensor/describe.hpp"

namespace model {
namespace {

using base::fail;
using base::Result;
using tensor::describe;
using tensor::Shape;
using tensor::Tensor;

using Complaint = std::optional<std::string>;

/// What comes before the attention's own checks, since a norm may come before the attention. Axis
/// by axis: the product of hostile sizes may overflow.
Complaint check_stream(const Shape& x) {
  const std::string has_shape = "x has shape " + describe(x);
  if (x.rank() != 3 || x[0] == 0 || x[1] == 0 || x[2] == 0)
    return has_shape + "; it needs three axes, [B,L,E], none of length 0.";
  if (x[0] > Limits::batch || x[1] > Limits::tokens || x[2] > Limits::embed_dim) {
    return has_shape + "; at most " + describe({Limits::batch, Limits::tokens, Limits::embed_dim}) +
           " is allowed.";
  }
  if (!within_limits(x)) {
    return has_shape + "; at most " + std::to_string(Limits::floats) + " numbers are allowed.";
  }
  return std::nullopt;
}

Complaint check_width(const Tensor& weight, const Shape& x) {
  if (weight.rank() != 2) {
    return "linear1.weight must have two axes, [F,E]; it has shape " + describe(weight.shape()) +
           '.';
  }
  const std::size_t width = weight.dim(0);
  if (width == 0) return "The feed-forward width is 0; it must be at least 1.";
  if (within_limits({x[0], x[1], width})) return std::nullopt;
  return "The feed-forward layer would have shape " + describe({x[0], x[1], width}) + "; at most " +
         std::to_string(Limits::floats) + " numbers are allowed.";
}

/// What is the same for all layers of an encoder or a decoder.
struct Chain {
  std::string_view kind;  ///< "encoder" or "decoder"
  const Tensors& x;       ///< what goes into the first layer
  Shape shape;            ///< [B,L,E] of that, and of what goes into every other
  const LayerOptions& options;
  Model& model;
  std::optional<std::size_t> last_layer = std::nullopt;  ///< its part, once there is one

  /// "encoder.0": the part of a layer.
  std::string name_of(std::size_t layer) const {
    return std::string(kind) + '.' + std::to_string(layer);
  }
  std::string complaint_in(std::size_t layer, const std::string& complaint) const {
    return "In " + std::string(kind) + " layer " + std::to_string(layer + 1) + ": " + complaint;
  }
};

const Tensor& stream_of(const Tensors& x) {
  return x.has("token_embedding") ? x["token_embedding"] : x["query_input"];
}

/// The rows around the attentions, with what they have learned.
Result<Part> rows_around(const Chain& chain, std::size_t place, const Layer& layer,
                         std::span<const Node> rows, std::span<const Node> norm_first_rows) {
  const auto refuse = [&](const std::string& complaint) {
    return fail(chain.complaint_in(place, complaint));
  };
  if (auto complaint = check_stream(chain.shape)) return refuse(*complaint);
  const Tensor& linear1 = layer.weights["linear1.weight"];
  if (auto complaint = check_width(linear1, chain.shape)) return refuse(*complaint);
  Part part;
  Trace& trace = part.trace;
  trace.name = chain.name_of(place);
  trace.tensors = layer.weights;
  using enum ops::Axis;
  trace.lengths[B] = chain.shape[0];
  trace.lengths[L] = chain.shape[1];
  trace.lengths[E] = chain.shape[2];
  trace.lengths[F] = linear1.dim(0);
  for (const Node& row : rows) {
    if (row.operation != &ops::given) trace.nodes.push_back(row);
    // What has a batch comes from other parts.
    if (row.operation != &ops::given || row.axes.has(B)) continue;
    const Tensor& tensor = layer.weights[row.id];
    const Shape expected = trace.lengths.shape_of(row.axes);
    if (tensor.defined() && tensor.shape() == expected) continue;
    return refuse(std::string(name_of(row.id)) +
                  (tensor.defined() ? " has shape " + describe(tensor.shape()) : " is missing") +
                  "; its shape must be " + describe(expected) + '.');
  }
  if (chain.options.norm_first) replace(trace.nodes, norm_first_rows);
  for (Node& node : trace.nodes) {
    const bool is_activation = node.operation == &ops::relu;
    if (is_activation && chain.options.activation == Activation::gelu) node.operation = &ops::gelu;
  }
  return part;
}

/// An attention whose queries (`given`) and keys will have these shapes: for its checks nothing
/// need be computed yet.
Result<Part> attention_in(const Chain& chain, std::size_t place, const std::string& which,
                          Tensors given, const Overrides& overrides, const Tensor& keys,
                          const Tensor& mask) {
  given["key_input"] = given["value_input"] = keys;
  given["mask"] = mask;
  Result<Part> part =
      attention_part(std::move(given), {chain.options.num_heads, chain.options.scale, overrides},
                     chain.name_of(place) + "." + which);
  if (!part) return fail(chain.complaint_in(place, which + ": " + part.error().message));
  return part;
}

/// What goes into the first layer where its norm is the first to read it: the tokens, or their sum
/// with the positions, which no attention makes then.
void begin_with(const Tensors& x, Trace& rows) {
  if (!x.has("token_embedding")) {
    rows.tensors["input"] = x["query_input"];
    return;
  }
  rows.tensors["token_embedding"] = x["token_embedding"];
  rows.lengths[ops::Axis::Lq] = rows.lengths[ops::Axis::L];
  for (const Node& row : nodes_of<tables::multi_head_attention>) {
    const bool is_input =
        row.id == TensorId("position_encoding") || row.id == TensorId("query_input");
    if (is_input) rows.nodes.push_back(row);
  }
  Node input;
  input.id = "input";
  input.axes = axes_of("input");
  input.operation = &ops::same;
  input.of[0] = "query_input";
  input.count = 1;
  rows.nodes.push_back(input);
}

/// The self-attention of a layer whose rows will be the part `own`.
Result<void> add_self_attention(Chain& chain, std::size_t place, const Layer& layer,
                                const Tensor& mask, std::size_t own, Part& rows) {
  const Tensor& stream = stream_of(chain.x);
  const bool reads_x = !chain.last_layer && !chain.options.norm_first;
  const bool embeds = reads_x && chain.x.has("token_embedding");
  Tensors given = layer.self_attention;
  given[embeds ? TensorId("token_embedding") : TensorId("query_input")] = stream;
  auto part = attention_in(chain, place, "self_attention", std::move(given), layer.self_overrides,
                           stream, mask);
  if (!part) return fail(part.error());
  const std::size_t self = chain.model.size();
  if (chain.options.norm_first) {
    bind(*part, "query_input", own, "normed1");
    if (!chain.last_layer) begin_with(chain.x, rows.trace);
  } else if (chain.last_layer) {
    bind(*part, "query_input", *chain.last_layer, "layer_output");
  }
  bind(*part, "key_input", self, "query_input");
  bind(*part, "value_input", self, "query_input");
  if (chain.last_layer) {
    bind(rows, "input", *chain.last_layer, "layer_output");
  } else if (!chain.options.norm_first) {
    bind(rows, "input", self, "query_input");
  }
  bind(rows, "self_attention", self, "output");
  chain.model.push_back(*std::move(part));
  return {};
}

void finish_layer(Chain& chain, Part rows) {
  chain.last_layer = chain.model.size();
  chain.model.push_back(std::move(rows));
}

}  // namespace

Result<void> add_encoder(const Tensors& x, const Tensor& mask, const std::vector<Layer>& layers,
                         const LayerOptions& options, Model& model) {
  Chain chain{"encoder", x, stream_of(x).shape(), options, model};
  for (const Layer& layer : layers) {
    const auto place = static_cast<std::size_t>(&layer - layers.data());
    auto rows = rows_around(chain, place, layer, nodes_of<tables::encoder_layer>,
                            nodes_of<tables::encoder_layer_norm_first>);
    if (!rows) return fail(rows.error());
    const std::size_t own = model.size() + 1;
    auto done = add_self_attention(chain, place, layer, mask, own, *rows);
    if (!done) return done;
    finish_layer(chain, *std::move(rows));
  }
  return {};
}

Result<void> add_decoder(const Tensors& x, const Tensor& memory, const Tensor& self_mask,
                         const Tensor& cross_mask, const std::vector<Layer>& layers,
                         const LayerOptions& options, Model& model) {
  Chain chain{"decoder", x, stream_of(x).shape(), options, model};
  const std::size_t encoder_parts = model.size();
  for (const Layer& layer : layers) {
    const auto place = static_cast<std::size_t>(&layer - layers.data());
    auto rows = rows_around(chain, place, layer, nodes_of<tables::decoder_layer>,
                            nodes_of<tables::decoder_layer_norm_first>);
    if (!rows) return fail(rows.error());
    const std::size_t own = model.size() + 2;
    auto done = add_self_attention(chain, place, layer, self_mask, own, *rows);
    if (!done) return done;

    Tensors given = layer.cross_attention;
    given["query_input"] = stream_of(x);
    auto cross = attention_in(chain, place, "cross_attention", std::move(given),
                              layer.cross_overrides, memory, cross_mask);
    if (!cross) return fail(cross.error());
    if (options.norm_first) {
      bind(*cross, "query_input", own, "normed2");
    } else {
      bind(*cross, "query_input", own, "normed1");
    }
    if (encoder_parts > 0) {
      bind(*cross, "key_input", encoder_parts - 1, "layer_output");
      bind(*cross, "value_input", encoder_parts - 1, "layer_output");
    }
    bind(*rows, "cross_attention", model.size(), "output");
    model.push_back(*std::move(cross));
    finish_layer(chain, *std::move(rows));
  }
  return {};
}

}  // namespace model
