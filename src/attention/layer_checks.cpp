#include "attention/layer_checks.hpp"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "attention/checks.hpp"
#include "attention/describe.hpp"

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

/// What multi_head_attention would say. What goes into it need not be computed: in every layer it
/// has the shape of what goes into the first.
Complaint check_attention(const std::string& name, const Inputs& inputs, const Weights& weights,
                          const Interventions& interventions, const LayerOptions& options) {
  const auto config = check(inputs, weights, {options.num_heads, options.scale, interventions});
  if (config) return std::nullopt;
  return name + ": " + config.error().message;
}

/// What lies between the attentions.
Complaint check_steps(const Tensor& x, std::span<const LayerNorm* const> norms,
                      const FeedForward& feed_forward) {
  if (auto complaint = check_stream("x", x)) return complaint;
  for (std::size_t i = 0; i < norms.size(); ++i) {
    if (auto complaint = check_norm("norm" + std::to_string(i + 1), *norms[i], x.dim(2)))
      return complaint;
  }
  return check_feed_forward(feed_forward, x.shape());
}

Complaint check_layer(const Tensor& x, const Tensor& mask, const EncoderLayer& layer,
                      const LayerOptions& options) {
  const std::array norms{&layer.norm1, &layer.norm2};
  if (auto complaint = check_steps(x, norms, layer.feed_forward)) return complaint;
  return check_attention("self_attention", {x, x, x, mask}, layer.self_attention,
                         layer.self_interventions, options);
}

Complaint check_layer(const Tensor& x, const Tensor& memory, const Tensor& self_mask,
                      const Tensor& cross_mask, const DecoderLayer& layer,
                      const LayerOptions& options) {
  const std::array norms{&layer.norm1, &layer.norm2, &layer.norm3};
  if (auto complaint = check_steps(x, norms, layer.feed_forward)) return complaint;
  if (auto complaint = check_attention("self_attention", {x, x, x, self_mask}, layer.self_attention,
                                       layer.self_interventions, options)) {
    return complaint;
  }
  return check_attention("cross_attention", {x, memory, memory, cross_mask}, layer.cross_attention,
                         layer.cross_interventions, options);
}

}  // namespace

Result<void> check_encoder(const Tensor& x, const Tensor& mask,
                           const std::vector<EncoderLayer>& layers, const LayerOptions& options) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (auto complaint = check_layer(x, mask, layers[i], options))
      return fail(in_layer("encoder", i, *complaint));
  }
  return {};
}

Result<void> check_decoder(const Tensor& x, const Tensor& memory, const Tensor& self_mask,
                           const Tensor& cross_mask, const std::vector<DecoderLayer>& layers,
                           const LayerOptions& options) {
  for (std::size_t i = 0; i < layers.size(); ++i) {
    if (auto complaint = check_layer(x, memory, self_mask, cross_mask, layers[i], options))
      return fail(in_layer("decoder", i, *complaint));
  }
  return {};
}

}  // namespace attention
