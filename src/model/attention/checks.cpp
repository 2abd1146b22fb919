#include "model/attention/checks.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include "model/attention/mask.hpp"
#include "model/attention/mistakes.hpp"
#include "tensor/describe.hpp"

namespace model {
namespace {

using std::to_string;
using tensor::describe;
using tensor::describe_divisors;
using tensor::Shape;
using tensor::Tensor;

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

Complaint check_sizes(const Shape& query, const Shape& key, const Shape& value) {
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

/// A linear layer: weight and bias as the table says, or neither, where the width already is what
/// comes out.
Complaint check_projection(const Node& row, const std::vector<Node>& rows, const Tensors& given,
                           const ops::Lengths& lengths) {
  const TensorId weight = row.of[1];
  const TensorId bias = row.of[2];
  const std::string weight_name(name_of(weight));
  if (!given.has(weight)) {
    if (given.has(bias)) {
      return std::string(name_of(bias)) + " is given without " + weight_name +
             "; give both or neither.";
    }
    const ops::Axes in = axes_of(row.of[0]);
    const std::size_t width_in = lengths[in[in.rank() - 1]];
    const std::size_t width_out = lengths[row.axes[row.axes.rank() - 1]];
    if (width_in == width_out) return std::nullopt;
    return "Without " + weight_name + " its input is used as it is, so its width " +
           to_string(width_in) + " must be " +
           (row.axes.has(ops::Axis::K) ? "num_kv_heads · head_dim, " : "embed_dim, ") +
           to_string(width_out) + '.';
  }
  for (const TensorId id : {weight, bias}) {
    if (!given.has(id)) continue;
    const auto own =
        std::find_if(rows.begin(), rows.end(), [id](const Node& other) { return other.id == id; });
    if (auto complaint = check_shape(name_of(id), given[id], lengths.shape_of(own->axes))) {
      return complaint;
    }
  }
  return std::nullopt;
}

Complaint check_weights(const Tensors& given, const Config& config) {
  const std::vector<Node> rows = rows_of(config, Mistake::none);
  for (const Node& row : rows) {
    const bool is_linear = row.operation == &ops::product && row.count == 3;
    if (!is_linear) continue;
    if (auto complaint = check_projection(row, rows, given, lengths_of(config))) return complaint;
  }
  return std::nullopt;
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

Complaint check_overrides(const Overrides& overrides, const Config& config) {
  for (const GivenWeights& given : overrides.given_weights) {
    if (auto complaint = check_given_weights(given, config)) return complaint;
  }
  for (const std::size_t head : overrides.ablated_heads) {
    if (head < config.num_heads) continue;
    return "Head " + to_string(head) + " cannot be switched off; heads are counted from 0 to " +
           to_string(config.num_heads - 1) + '.';
  }
  return complaint_about(overrides.mistake, config);
}

/// The tokens that ask: query_input, or what it is made of.
const Tensor& query_of(const Tensors& given) {
  return given.has("token_embedding") ? given["token_embedding"] : given["query_input"];
}

Complaint first_complaint(const Tensors& given, const Options& options, Config& config) {
  const Tensor& query = query_of(given);
  const Tensor& key = given["key_input"];
  const Tensor& value = given["value_input"];
  if (auto complaint = check_input("query", "[B,Lq,E]", query)) return complaint;
  if (auto complaint = check_input("key", "[B,Lk,kdim]", key)) return complaint;
  if (auto complaint = check_input("value", "[B,Lk,vdim]", value)) return complaint;
  if (auto complaint = check_sizes(query.shape(), key.shape(), value.shape())) return complaint;
  config = {.batch = query.dim(0),
            .query_len = query.dim(1),
            .key_len = key.dim(1),
            .embed_dim = query.dim(2),
            .num_heads = options.num_heads,
            .num_kv_heads = options.num_kv_heads == 0 ? options.num_heads : options.num_kv_heads,
            .kdim = key.dim(2),
            .vdim = value.dim(2),
            .scale = options.scale};
  if (auto complaint = check_heads(config.embed_dim, config.num_heads)) return complaint;
  if (config.num_heads % config.num_kv_heads != 0) {
    return to_string(config.num_heads) + (config.num_heads == 1 ? " head" : " heads") +
           " cannot share " + to_string(config.num_kv_heads) +
           " heads of keys and values; allowed: " +
           describe_divisors(config.num_heads, config.num_heads) + '.';
  }
  const std::size_t longest = std::max(config.query_len, config.key_len);
  if (auto complaint = check_product("q", {config.batch, longest, config.embed_dim})) {
    return complaint;
  }
  if (auto complaint = check_product(
          "scores", {config.batch, config.num_heads, config.query_len, config.key_len})) {
    return complaint;
  }
  if (auto complaint = check_weights(given, config)) return complaint;
  if (auto complaint = check_scale(config.scale)) return complaint;
  if (auto complaint = check_mask(given["mask"], config)) return complaint;
  return check_overrides(options.overrides, config);
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

ops::Lengths lengths_of(const Config& config) {
  using enum ops::Axis;
  ops::Lengths lengths;
  lengths[B] = config.batch;
  lengths[Lq] = config.query_len;
  lengths[Lk] = config.key_len;
  lengths[E] = lengths[A] = config.embed_dim;
  lengths[H] = config.num_heads;
  lengths[D] = config.head_dim();
  lengths[G] = config.num_kv_heads;
  lengths[R] = config.num_kv_heads == 0 ? 0 : config.num_heads / config.num_kv_heads;
  lengths[K] = config.num_kv_heads * config.head_dim();
  lengths[kdim] = config.kdim;
  lengths[vdim] = config.vdim;
  return lengths;
}

base::Result<Config> check(const Tensors& given, const Options& options) {
  Config config;
  if (auto complaint = first_complaint(given, options, config))
    return base::fail(*std::move(complaint));
  return config;
}

}  // namespace model
