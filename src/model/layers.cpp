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

/// One layer on its way into the model.
class NewLayer {
 public:
  /// `place`: its index, counted from 0.
  NewLayer(const Stack& stack, std::size_t place, const Layer& layer)
      : stack_(stack),
        layer_(layer),
        is_first_(place == 0),
        name_(stack.kind + '.' + to_string(place)) {}

  /// Adds its attentions, and behind them the rows around them.
  Result<void> add() {
    auto rows = rows_around(stack_, x_.shape(), layer_);
    if (!rows) return fail(rows.error());
    rows->trace.name = name_;
    connect_input(*rows);
    auto self = self_attention();
    if (!self) return fail(self.error());
    bind(*rows, "self_attention", self_, roles::output);
    stack_.model.push_back(*std::move(self));
    if (stack_.memory != nullptr) {
      auto cross = cross_attention();
      if (!cross) return fail(cross.error());
      bind(*rows, "cross_attention", self_ + 1, roles::output);
      stack_.model.push_back(*std::move(cross));
    }
    stack_.model.push_back(*std::move(rows));
    return {};
  }

 private:
  /// Where what the layer reads is computed; nothing where it is given.
  std::optional<Origin> origin() const {
    return is_first_ ? stack_.options.input : Origin{self_ - 1, "layer_output"};
  }

  /// The input of the rows, which they norm or add to what the attention makes of it.
  void connect_input(Part& rows) const {
    const bool embeds = stack_.x.has(roles::embedding);
    const auto from = origin();
    if (is_first_ && !stack_.options.norm_first) {
      bind(rows, "input", self_, roles::query);  // the attention has it
    } else if (from) {
      bind(rows, "input", from->part, from->tensor);
    } else {
      if (embeds) replace(rows.trace.nodes, nodes_of<tables::embedded_input>);
      rows.trace.tensors[embeds ? roles::embedding : TensorId("input")] = x_;
    }
  }

  /// The inputs are not computed yet; attention_part only looks at their shapes.
  Result<Part> attention(const std::string& which, Tensors given, const Tensor& keys,
                         const Tensor& mask, const Overrides& overrides) const {
    given[roles::key] = given[roles::value] = keys;
    given[roles::mask] = mask;
    auto part = attention_part(std::move(given),
                               {stack_.options.num_heads, stack_.options.scale, overrides},
                               name_ + '.' + which);
    if (!part) return fail(which + ": " + part.error().message);
    return part;
  }

  Result<Part> self_attention() const {
    const bool norm_first = stack_.options.norm_first;
    const bool embeds = stack_.x.has(roles::embedding) && is_first_ && !norm_first;
    const std::size_t cached = layer_.cached_tokens;
    Tensors given = layer_.self_attention;
    given[embeds ? roles::embedding : roles::query] = x_;
    // Only the shape counts: nothing reads the tokens that the cached keys and values are from.
    const Tensor keys = cached == 0 ? x_ : Tensor({1, 1, 1}).expand({x_.dim(0), cached, x_.dim(2)});
    auto part = attention("self_attention", std::move(given), keys,
                          layer_.self_mask.value_or(stack_.mask), layer_.self_overrides);
    if (!part) return part;
    if (norm_first)
      bind(*part, roles::query, rows_, "normed1");
    else if (const auto from = origin())
      bind(*part, roles::query, from->part, from->tensor);
    if (cached == 0) {
      bind(*part, roles::key, self_, roles::query);
      bind(*part, roles::value, self_, roles::query);
    }
    return part;
  }

  /// Asks with what the self-attention made, normed; keys and values are the encoder's output.
  Result<Part> cross_attention() const {
    Tensors given = layer_.cross_attention;
    given[roles::query] = x_;
    auto part = attention("cross_attention", std::move(given), *stack_.memory,
                          layer_.cross_mask.value_or(*stack_.memory_mask), layer_.cross_overrides);
    if (!part) return part;
    bind(*part, roles::query, rows_,
         stack_.options.norm_first ? TensorId("normed2") : TensorId("normed1"));
    if (stack_.encoder_parts > 0) {
      bind(*part, roles::key, stack_.encoder_parts - 1, "layer_output");
      bind(*part, roles::value, stack_.encoder_parts - 1, "layer_output");
    }
    return part;
  }

  const Stack& stack_;
  const Layer& layer_;
  bool is_first_;
  std::string name_;
  /// The input of the stack, whose shape every layer keeps.
  const Tensor& x_ = stack_.x[stack_.x.has(roles::embedding) ? roles::embedding : roles::query];
  // The places of its parts in the model.
  std::size_t self_ = stack_.model.size();
  std::size_t rows_ = self_ + (stack_.memory == nullptr ? 1 : 2);
};

Result<void> add_layers(const Stack& stack, const std::vector<Layer>& layers) {
  for (std::size_t place = 0; place < layers.size(); ++place) {
    if (const auto added = NewLayer(stack, place, layers[place]).add(); !added)
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
