#include "attention/checks.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "attention/describe.hpp"
#include "attention/mask.hpp"
#include "attention/mistakes.hpp"

namespace attention {
namespace {

using std::to_string;

/// A sentence, or nothing where all is well.
using Complaint = std::optional<std::string>;

Complaint check_input(std::string_view name, std::string_view axes, const Tensor& tensor) {
  const std::string input(name);
  if (!tensor.defined()) return input + " is missing; its shape is " + std::string(axes) + '.';
  if (tensor.rank() != 3) {
    return input + " has shape " + describe(tensor.shape()) + "; it needs three axes, " +
           std::string(axes) + '.';
  }
  for (const std::size_t length : tensor.shape()) {
    if (length == 0) {
      return input + " has shape " + describe(tensor.shape()) + "; no axis may have length 0.";
    }
  }
  return std::nullopt;
}

Complaint check_limit(std::string_view what, std::size_t size, std::size_t limit) {
  if (size <= limit) return std::nullopt;
  return std::string(what) + " is " + to_string(size) + "; at most " + to_string(limit) +
         " is allowed.";
}

Complaint check_product(std::string_view name, const Shape& shape) {
  if (within_limits(shape)) return std::nullopt;
  return std::string(name) + " would have shape " + describe(shape) + "; at most " +
         to_string(Limits::floats) + " numbers are allowed.";
}

Complaint check_sizes(const Inputs& inputs) {
  const Shape& query = inputs.query.shape();
  const Shape& key = inputs.key.shape();
  const Shape& value = inputs.value.shape();
  if (key[0] != query[0] || value[0] != query[0]) {
    return "query " + describe(query) + ", key " + describe(key) + " and value " + describe(value) +
           " differ in their batch size, the first axis; it must be the same.";
  }
  if (key[1] != value[1]) {
    return "key " + describe(key) + " and value " + describe(value) +
           " differ in their number of tokens, the second axis; each key needs one value.";
  }
  if (auto complaint = check_limit("The batch size", query[0], Limits::batch)) return complaint;
  if (auto complaint = check_limit("The number of query tokens", query[1], Limits::tokens)) {
    return complaint;
  }
  if (auto complaint = check_limit("The number of key tokens", key[1], Limits::tokens)) {
    return complaint;
  }
  for (const std::size_t width : {query[2], key[2], value[2]}) {
    if (auto complaint = check_limit("The width of an input", width, Limits::embed_dim)) {
      return complaint;
    }
  }
  return std::nullopt;
}

Complaint check_heads(std::size_t embed_dim, std::size_t num_heads) {
  if (auto complaint = check_limit("The number of heads", num_heads, Limits::heads)) {
    return complaint;
  }
  if (num_heads > 0 && embed_dim % num_heads == 0) return std::nullopt;
  return "embed_dim " + to_string(embed_dim) + " cannot be split into " + to_string(num_heads) +
         " heads; allowed: " + describe_divisors(embed_dim, Limits::heads) + '.';
}

Complaint check_shape(std::string_view name, const Tensor& tensor, const Shape& expected) {
  if (tensor.shape() == expected) return std::nullopt;
  return std::string(name) + " has shape " + describe(tensor.shape()) + "; " + describe(expected) +
         " fits the inputs.";
}

/// One linear layer: weight [out,in] and bias [out], or neither, where the width already is what
/// comes out.
Complaint check_projection(const std::string& name, const Tensor& weight, const Tensor& bias,
                           std::size_t width_in, std::size_t width_out) {
  if (!weight.defined()) {
    if (bias.defined()) {
      return name + "_bias is given without " + name + "_weight; give both or neither.";
    }
    if (width_in == width_out) return std::nullopt;
    return "Without " + name + "_weight its input is used as it is, so its width " +
           to_string(width_in) + " must be embed_dim, " + to_string(width_out) + '.';
  }
  if (auto complaint = check_shape(name + "_weight", weight, {width_out, width_in})) {
    return complaint;
  }
  if (!bias.defined()) return std::nullopt;
  return check_shape(name + "_bias", bias, {width_out});
}

Complaint check_weights(const Weights& weights, const Config& config) {
  const std::size_t width = config.embed_dim;
  if (auto complaint =
          check_projection("q_proj", weights.q_proj_weight, weights.q_proj_bias, width, width)) {
    return complaint;
  }
  if (auto complaint = check_projection("k_proj", weights.k_proj_weight, weights.k_proj_bias,
                                        config.kdim, width)) {
    return complaint;
  }
  if (auto complaint = check_projection("v_proj", weights.v_proj_weight, weights.v_proj_bias,
                                        config.vdim, width)) {
    return complaint;
  }
  return check_projection("out_proj", weights.out_proj_weight, weights.out_proj_bias, width, width);
}

Complaint check_scale(const Scale& scale) {
  if (scale.kind != Scale::Kind::number) return std::nullopt;
  if (std::isfinite(scale.number) && scale.number != 0.0F) return std::nullopt;
  return std::string("The scores cannot be divided by ") +
         (std::isnan(scale.number)   ? "NaN"
          : std::isinf(scale.number) ? "an infinite number"
                                     : "0") +
         "; the scale is a finite number other than 0.";
}

Complaint check_mask(const Tensor& mask, const Config& config) {
  if (!mask.defined()) return std::nullopt;
  const std::size_t batch = config.batch;
  const std::size_t heads = config.num_heads;
  const std::size_t queries = config.query_len;
  const std::size_t keys = config.key_len;
  if (expand_mask(mask, batch, heads, queries, keys).defined()) return std::nullopt;
  return "The mask has shape " + describe(mask.shape()) +
         "; allowed: " + describe({queries, keys}) + ", " + describe({batch, queries, keys}) +
         " or " + describe({batch, heads, queries, keys}) +
         ", any axis of which may have length 1.";
}

Complaint check_given_weights(const GivenWeights& given, const Config& config) {
  if (given.sample >= config.batch || given.head >= config.num_heads ||
      given.query >= config.query_len) {
    return "Weights are given for sample, head and query " +
           describe({given.sample, given.head, given.query}) +
           ", counted from 0; each must be less than " +
           describe({config.batch, config.num_heads, config.query_len}) + '.';
  }
  if (given.weights.size() != config.key_len) {
    return to_string(given.weights.size()) + " weights are given for a query with " +
           to_string(config.key_len) + " keys; each key needs one.";
  }
  for (const float weight : given.weights) {
    if (!std::isfinite(weight)) return "A given weight is not a finite number.";
  }
  return std::nullopt;
}

Complaint check_interventions(const Interventions& interventions, const Config& config) {
  for (const GivenWeights& given : interventions.given_weights) {
    if (auto complaint = check_given_weights(given, config)) return complaint;
  }
  for (const std::size_t head : interventions.ablated_heads) {
    if (head < config.num_heads) continue;
    return "Head " + to_string(head) + " cannot be switched off; heads are counted from 0 to " +
           to_string(config.num_heads - 1) + '.';
  }
  return complaint_about(interventions.mistake, config);
}

Complaint first_complaint(const Inputs& inputs, const Weights& weights, const Options& options,
                          Config& config) {
  if (auto complaint = check_input("query", "[B,Lq,E]", inputs.query)) return complaint;
  if (auto complaint = check_input("key", "[B,Lk,kdim]", inputs.key)) return complaint;
  if (auto complaint = check_input("value", "[B,Lk,vdim]", inputs.value)) return complaint;
  if (auto complaint = check_sizes(inputs)) return complaint;
  config = {.batch = inputs.query.dim(0),
            .query_len = inputs.query.dim(1),
            .key_len = inputs.key.dim(1),
            .embed_dim = inputs.query.dim(2),
            .num_heads = options.num_heads,
            .kdim = inputs.key.dim(2),
            .vdim = inputs.value.dim(2),
            .scale = options.scale};
  if (auto complaint = check_heads(config.embed_dim, config.num_heads)) return complaint;
  const std::size_t longest = std::max(config.query_len, config.key_len);
  if (auto complaint = check_product("q", {config.batch, longest, config.embed_dim})) {
    return complaint;
  }
  if (auto complaint = check_product(
          "scores", {config.batch, config.num_heads, config.query_len, config.key_len})) {
    return complaint;
  }
  if (auto complaint = check_weights(weights, config)) return complaint;
  if (auto complaint = check_scale(config.scale)) return complaint;
  if (auto complaint = check_mask(inputs.mask, config)) return complaint;
  return check_interventions(options.interventions, config);
}

}  // namespace

bool within_limits(const Shape& shape) {
  std::size_t product = 1;
  for (const std::size_t length : shape) {
    if (length == 0) return true;
    // Multiplied only while the product stays within the limit.
    if (length > Limits::floats / product) return false;
    product *= length;
  }
  return true;
}

Result<Config> check(const Inputs& inputs, const Weights& weights, const Options& options) {
  Config config;
  if (auto complaint = first_complaint(inputs, weights, options, config)) {
    return fail(*std::move(complaint));
  }
  return config;
}

}  // namespace attention
