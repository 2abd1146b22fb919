#include "model/layers.hpp"

#include "base/text.hpp"
#include "model/roles.hpp"

namespace model {
namespace {

using base::fail;
using base::Result;
using std::to_string;
using tensor::describe;
using tensor::Shape;
using tensor::Tensor;

/// What all layers of an encoder, or of a decoder, have in common.
struct Stack {
  std::string kind;  ///< "encoder" or "decoder"
  std::span<const Node> rows;
  std::span<const Node> norm_first_rows;
  const Tensors& x;    ///< the input of the first layer
  const Tensor& mask;  ///< of the self-attentions
  const LayerOptions& options;
  Model& model;
  // The keys and values of a decoder's cross-attentions.
  const Tensor* memory = nullptr;  ///< [B,Ls,E]; only its shape counts if there is an encoder
  const Tensor* memory_mask = nullptr;
  std::size_t encoder_parts = model.size();  ///< the output of the last one is read, if any
};

/// Checks the sizes of x before attention_part does, because a norm may come before the attention.
/// Each axis by itself first: the product of hostile sizes may overflow.
Result<void> check_sizes(const Shape& x, const Tensor& linear1) {
  const std::string shape = describe(x);
  if (x.rank() != 3 || x[0] == 0 || x[1] == 0 || x[2] == 0)
    return fail(base::text("model.layer.axes", {{"shape", shape}}));
  const Shape most{Limits::batch, Limits::tokens, Limits::embed_dim};
  if (x[0] > most[0] || x[1] > most[1] || x[2] > most[2])
    return fail(base::text("model.layer.most", {{"shape", shape}, {"most", describe(most)}}));
  if (!within_limits(x))
    return fail(base::text("model.layer.numbers", {{"shape", shape}, {"most", Limits::floats}}));
  if (linear1.rank() != 2) {
    return fail(base::text("model.layer.linear1_axes", {{"shape", describe(linear1.shape())}}));
  }
  const std::size_t width = linear1.dim(0);
  if (width == 0) return fail(base::text("model.layer.no_width"));
  const Shape hidden{x[0], x[1], width};
  if (within_limits(hidden)) return {};
  return fail(base::text("model.layer.hidden_numbers",
                         {{"shape", describe(hidden)}, {"most", Limits::floats}}));
}

/// What is added to the stream passes through dropout first.
void add_dropout(std::vector<Node>& rows) {
  std::vector<Node> with;
  for (Node row : rows) {
    for (const Node& dropped : nodes_of<tables::dropped>) {
      if (row.operation != &ops::add || dropped.count == 0 || dropped.of[0] != row.of[1]) continue;
      with.push_back(*find(nodes_of<tables::dropped>, dropped.of[1]));  // its seed
      with.push_back(dropped);
      row.of[1] = dropped.id;
      break;
    }
    with.push_back(row);
  }
  rows = std::move(with);
}

/// The rows around the attentions, with their weights. `x`: the shape of the layer's input.
Result<Part> rows_around(const Stack& stack, const Shape& x, const Layer& layer) {
  const Tensor& linear1 = layer.weights["linear1.weight"];
  if (auto checked = check_sizes(x, linear1); !checked) return fail(checked.error());
  Part part;
  Trace& trace = part.trace;
  trace.tensors = layer.weights;
  trace.nodes = {stack.rows.begin(), stack.rows.end()};
  if (stack.options.norm_first) replace(trace.nodes, stack.norm_first_rows);
  if (stack.options.dropout > 0.0F) {
    trace.constants.dropout = stack.options.dropout;
    add_dropout(trace.nodes);
  }
  using enum ops::Axis;
  trace.lengths[B] = x[0];
  trace.lengths[L] = x[1];
  trace.lengths[E] = x[2];
  trace.lengths[F] = linear1.dim(0);
  for (Node& row : trace.nodes) {
    const bool is_activation = row.operation == &ops::relu;
    if (is_activation && stack.options.activation == Activation::gelu) row.operation = &ops::gelu;
    // Given tensors with a batch axis are inputs, which other parts compute; the rest are weights.
    if (row.operation != &ops::given || row.axes.has(B) || row.axes.rank() == 0) continue;
    const Tensor& weight = layer.weights[row.id];
    const Shape expected = trace.lengths.shape_of(row.axes);
    if (weight.defined() && weight.shape() == expected) continue;
    const std::string wanted = describe(expected);
    if (!weight.defined()) {
      return fail(base::text("model.layer.weight_missing",
                             {{"name", name_of(row.id)}, {"wanted", wanted}}));
    }
    return fail(base::text(
        "model.layer.weight_shape",
        {{"name", name_of(row.id)}, {"shape", describe(weight.shape())}, {"wanted", wanted}}));
  }
  return part;
}

/// Adds the layer with this index, counted from 0.
Result<void> add_layer(const Stack& stack, std::size_t place, const Layer& layer) {
  const LayerOptions& options = stack.options;
  Model& model = stack.model;
  const bool is_first = place == 0;
  const bool embeds = stack.x.has(roles::embedding);
  const Tensor& stream = stack.x[embeds ? roles::embedding : roles::query];
  const std::size_t self = model.size();
  const std::size_t before = self - 1;  // the rows of the layer before, unless this is the first
  const std::size_t own = self + (stack.memory == nullptr ? 1 : 2);
  const std::string name = stack.kind + '.' + to_string(place);

  auto rows = rows_around(stack, stream.shape(), layer);
  if (!rows) return fail(rows.error());
  rows->trace.name = name;
  const bool norm_reads_x = is_first && options.norm_first;
  const bool attention_reads_x = is_first && !options.norm_first;
  if (norm_reads_x && options.input) {
    bind(*rows, "input", options.input->part, options.input->tensor);
  } else if (norm_reads_x) {
    if (embeds) replace(rows->trace.nodes, nodes_of<tables::embedded_input>);
    rows->trace.tensors[embeds ? roles::embedding : TensorId("input")] = stream;
  } else if (attention_reads_x) {
    bind(*rows, "input", self, roles::query);
  } else {
    bind(*rows, "input", before, "layer_output");
  }

  // The inputs are not computed yet; attention_part only looks at their shapes.
  const auto attention = [&](const std::string& which, Tensors given, const Tensor& keys,
                             const Tensor& hiding, const Overrides& overrides) -> Result<Part> {
    given[roles::key] = given[roles::value] = keys;
    given[roles::mask] = hiding;
    auto part = attention_part(std::move(given), {options.num_heads, options.scale, overrides},
                               name + '.' + which);
    if (!part) return fail(which + ": " + part.error().message);
    return part;
  };

  Tensors given = layer.self_attention;
  given[embeds && attention_reads_x ? roles::embedding : roles::query] = stream;
  const std::size_t cached = layer.cached_tokens;
  // Only the shape counts: nothing reads the tokens that the cached keys and values are from.
  const Tensor keys =
      cached == 0 ? stream : Tensor({1, 1, 1}).expand({stream.dim(0), cached, stream.dim(2)});
  auto part = attention("self_attention", std::move(given), keys,
                        layer.self_mask.value_or(stack.mask), layer.self_overrides);
  if (!part) return fail(part.error());
  if (options.norm_first) {
    bind(*part, roles::query, own, "normed1");
  } else if (!is_first) {
    bind(*part, roles::query, before, "layer_output");
  } else if (options.input) {
    bind(*part, roles::query, options.input->part, options.input->tensor);
  }
  if (cached == 0) {
    bind(*part, roles::key, self, roles::query);
    bind(*part, roles::value, self, roles::query);
  }
  bind(*rows, "self_attention", self, roles::output);
  model.push_back(*std::move(part));

  if (stack.memory != nullptr) {
    given = layer.cross_attention;
    given[roles::query] = stream;
    part = attention("cross_attention", std::move(given), *stack.memory,
                     layer.cross_mask.value_or(*stack.memory_mask), layer.cross_overrides);
    if (!part) return fail(part.error());
    bind(*part, roles::query, own, options.norm_first ? TensorId("normed2") : TensorId("normed1"));
    if (stack.encoder_parts > 0) {
      bind(*part, roles::key, stack.encoder_parts - 1, "layer_output");
      bind(*part, roles::value, stack.encoder_parts - 1, "layer_output");
    }
    bind(*rows, "cross_attention", self + 1, roles::output);
    model.push_back(*std::move(part));
  }
  model.push_back(*std::move(rows));
  return {};
}

Result<void> add_layers(const Stack& stack, const std::vector<Layer>& layers) {
  for (std::size_t place = 0; place < layers.size(); ++place) {
    if (const auto added = add_layer(stack, place, layers[place]); !added)
      return fail(base::text("model.problem_in." + stack.kind,
                             {{"layer", place}, {"problem", added.error().message}}));
  }
  return {};
}

}  // namespace

Result<void> add_encoder(const Tensors& x, const Tensor& mask, const std::vector<Layer>& layers,
                         const LayerOptions& options, Model& model) {
  return add_layers({"encoder", nodes_of<tables::encoder_layer>,
                     nodes_of<tables::encoder_layer_norm_first>, x, mask, options, model},
                    layers);
}

Result<void> add_decoder(const Tensors& x, const Tensor& memory, const Tensor& self_mask,
                         const Tensor& cross_mask, const std::vector<Layer>& layers,
                         const LayerOptions& options, Model& model) {
  return add_layers(
      {"decoder", nodes_of<tables::decoder_layer>, nodes_of<tables::decoder_layer_norm_first>, x,
       self_mask, options, model, &memory, &cross_mask},
      layers);
}

}  // namespace model
