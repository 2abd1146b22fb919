#include "attention/layers.hpp"

#include <optional>
#include <string>
#include <utility>

#include "attention/checks.hpp"
#include "attention/describe.hpp"
#include "attention/elementwise.hpp"
#include "attention/layer_norm.hpp"
#include "attention/linear.hpp"

namespace attention {
namespace {

using Complaint = std::optional<std::string>;

Complaint check_shape(const std::string& name, const Tensor& tensor, const Shape& expected) {
  if (tensor.defined() && tensor.shape() == expected) return std::nullopt;
  return name + (tensor.defined() ? " has shape " + describe(tensor.shape()) : " is missing") +
         "; its shape must be " + describe(expected) + '.';
}

Complaint check_norm(const std::string& name, const LayerNorm& norm, std::size_t embed_dim) {
  if (auto complaint = check_shape(name + ".weight", norm.weight, {embed_dim})) return complaint;
  return check_shape(name + ".bias", norm.bias, {embed_dim});
}

Complaint check_feed_forward(const FeedForward& layer, const Shape& x) {
  if (layer.linear1_weight.rank() != 2) {
    return "linear1.weight must have two axes, [F,E]; it has shape " +
           describe(layer.linear1_weight.shape()) + '.';
  }
  const std::size_t width = layer.linear1_weight.dim(0);
  const std::size_t embed_dim = x[2];
  if (width == 0) return "The feed-forward width is 0; it must be at least 1.";
  if (!within_limits({x[0], x[1], width})) {
    return "The feed-forward layer would have shape " + describe({x[0], x[1], width}) +
           "; at most " + std::to_string(Limits::floats) + " numbers are allowed.";
  }
  if (auto complaint = check_shape("linear1.weight", layer.linear1_weight, {width, embed_dim})) {
    return complaint;
  }
  if (auto complaint = check_shape("linear1.bias", layer.linear1_bias, {width})) return complaint;
  if (auto complaint = check_shape("linear2.weight", layer.linear2_weight, {embed_dim, width})) {
    return complaint;
  }
  return check_shape("linear2.bias", layer.linear2_bias, {embed_dim});
}

/// What comes before multi_head_attention's own checks, since a norm may come before the attention.
/// Axis by axis: the product of hostile sizes may overflow.
Complaint check_stream(const std::string& name, const Tensor& x) {
  const Shape& shape = x.shape();
  if (shape.rank() != 3 || shape[0] == 0 || shape[1] == 0 || shape[2] == 0) {
    return name + " has shape " + describe(shape) +
           "; it needs three axes, [B,L,E], none of length 0.";
  }
  if (shape[0] > Limits::batch || shape[1] > Limits::tokens || shape[2] > Limits::embed_dim) {
    return name + " has shape " + describe(shape) + "; at most " +
           describe({Limits::batch, Limits::tokens, Limits::embed_dim}) + " is allowed.";
  }
  if (!within_limits(shape)) {
    return name + " has shape " + describe(shape) + "; at most " + std::to_string(Limits::floats) +
           " numbers are allowed.";
  }
  return std::nullopt;
}

/// Layers are counted from 1 in what a person reads.
std::string in_layer(std::string_view kind, std::size_t layer, const std::string& message) {
  return "In " + std::string(kind) + " layer " + std::to_string(layer + 1) + ": " + message;
}

/// f(x) with the norm where the model has it: x + f(norm(x)), or norm(x + f(x)).
/// These two are the halves before and after f.
Tensor before(const Tensor& x, const LayerNorm& norm, bool norm_first) {
  return norm_first ? layer_norm(x, norm) : x;
}
Tensor after(const Tensor& x, const Tensor& f, const LayerNorm& norm, bool norm_first) {
  const Tensor sum = add(x, f);  // the residual connection
  return norm_first ? sum : layer_norm(sum, norm);
}

FeedForwardTrace feed_forward(const Tensor& input, const FeedForward& layer,
                              Activation activation) {
  FeedForwardTrace trace;
  trace.input = input;                                                     // [B,L,E]
  trace.hidden = linear(input, layer.linear1_weight, layer.linear1_bias);  // [B,L,F]
  trace.activated = activation == Activation::relu ? relu(trace.hidden) : gelu(trace.hidden);
  trace.output = linear(trace.activated, layer.linear2_weight, layer.linear2_bias);  // [B,L,E]
  return trace;
}

Result<EncoderLayerTrace> encode_layer(const Tensor& x, const Tensor& mask,
                                       const EncoderLayer& layer, const LayerOptions& options) {
  if (auto complaint = check_stream("x", x)) return fail(*std::move(complaint));
  if (auto complaint = check_norm("norm1", layer.norm1, x.dim(2)))
    return fail(*std::move(complaint));
  if (auto complaint = check_norm("norm2", layer.norm2, x.dim(2)))
    return fail(*std::move(complaint));
  if (auto complaint = check_feed_forward(layer.feed_forward, x.shape())) {
    return fail(*std::move(complaint));
  }
  const bool norm_first = options.norm_first;
  EncoderLayerTrace trace;

  // 1. Self-attention: every token looks at every token of its sentence.
  const Tensor a = before(x, layer.norm1, norm_first);  // [B,L,E]
  Result<Trace> self =
      multi_head_attention({a, a, a, mask}, layer.self_attention,
                           {options.num_heads, options.scale, layer.self_interventions});
  if (!self) return fail("self_attention: " + self.error().message);
  trace.self_attention = *std::move(self);
  trace.after_attention =
      after(x, trace.self_attention[TensorId::output], layer.norm1, norm_first);  // [B,L,E]

  // 2. Feed-forward: every token by itself.
  trace.feed_forward = feed_forward(before(trace.after_attention, layer.norm2, norm_first),
                                    layer.feed_forward, options.activation);
  trace.output =
      after(trace.after_attention, trace.feed_forward.output, layer.norm2, norm_first);  // [B,L,E]
  return trace;
}

Result<DecoderLayerTrace> decode_layer(const Tensor& x, const Tensor& memory,
                                       const Tensor& self_mask, const Tensor& cross_mask,
                                       const DecoderLayer& layer, const LayerOptions& options) {
  if (auto complaint = check_stream("x", x)) return fail(*std::move(complaint));
  if (auto complaint = check_norm("norm1", layer.norm1, x.dim(2)))
    return fail(*std::move(complaint));
  if (auto complaint = check_norm("norm2", layer.norm2, x.dim(2)))
    return fail(*std::move(complaint));
  if (auto complaint = check_norm("norm3", layer.norm3, x.dim(2)))
    return fail(*std::move(complaint));
  if (auto complaint = check_feed_forward(layer.feed_forward, x.shape())) {
    return fail(*std::move(complaint));
  }
  const bool norm_first = options.norm_first;
  DecoderLayerTrace trace;

  // 1. Self-attention: every target token looks at the target tokens that its mask leaves it.
  const Tensor a = before(x, layer.norm1, norm_first);  // [B,Lt,E]
  Result<Trace> self =
      multi_head_attention({a, a, a, self_mask}, layer.self_attention,
                           {options.num_heads, options.scale, layer.self_interventions});
  if (!self) return fail("self_attention: " + self.error().message);
  trace.self_attention = *std::move(self);
  trace.after_self_attention =
      after(x, trace.self_attention[TensorId::output], layer.norm1, norm_first);  // [B,Lt,E]

  // 2. Cross-attention: Q from the target, K and V from the encoder's output.
  const Tensor c = before(trace.after_self_attention, layer.norm2, norm_first);  // [B,Lt,E]
  Result<Trace> cross =
      multi_head_attention({c, memory, memory, cross_mask}, layer.cross_attention,
                           {options.num_heads, options.scale, layer.cross_interventions});
  if (!cross) return fail("cross_attention: " + cross.error().message);
  trace.cross_attention = *std::move(cross);
  trace.after_cross_attention =
      after(trace.after_self_attention, trace.cross_attention[TensorId::output], layer.norm2,
            norm_first);  // [B,Lt,E]

  // 3. Feed-forward: every token by itself.
  trace.feed_forward = feed_forward(before(trace.after_cross_attention, layer.norm3, norm_first),
                                    layer.feed_forward, options.activation);
  trace.output = after(trace.after_cross_attention, trace.feed_forward.output, layer.norm3,
                       norm_first);  // [B,Lt,E]
  return trace;
}

}  // namespace

Result<std::vector<EncoderLayerTrace>> encode(const Tensor& x, const Tensor& mask,
                                              const std::vector<EncoderLayer>& layers,
                                              const LayerOptions& options) {
  std::vector<EncoderLayerTrace> traces;
  traces.reserve(layers.size());
  for (const EncoderLayer& layer : layers) {
    const Tensor& input = traces.empty() ? x : traces.back().output;
    Result<EncoderLayerTrace> trace = encode_layer(input, mask, layer, options);
    if (!trace) return fail(in_layer("encoder", traces.size(), trace.error().message));
    traces.push_back(*std::move(trace));
  }
  return traces;
}

Result<std::vector<DecoderLayerTrace>> decode(const Tensor& x, const Tensor& memory,
                                              const Tensor& self_mask, const Tensor& cross_mask,
                                              const std::vector<DecoderLayer>& layers,
                                              const LayerOptions& options) {
  std::vector<DecoderLayerTrace> traces;
  traces.reserve(layers.size());
  for (const DecoderLayer& layer : layers) {
    const Tensor& input = traces.empty() ? x : traces.back().output;
    Result<DecoderLayerTrace> trace =
        decode_layer(input, memory, self_mask, cross_mask, layer, options);
    if (!trace) return fail(in_layer("decoder", traces.size(), trace.error().message));
    traces.push_back(*std::move(trace));
  }
  return traces;
}

}  // namespace attention
