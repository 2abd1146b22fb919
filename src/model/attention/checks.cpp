// Checks the inputs and options of an attention before anything is computed.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "model/attention/attention_part.hpp"
#include "model/attention/mask.hpp"
#include "model/roles.hpp"

namespace model {
namespace {

using std::to_string;
using tensor::describe;
using tensor::Shape;

/// A sentence that says what is wrong, or nothing.
using Complaint = std::optional<std::string>;

/// "[B,Lq,E]": the letters of its axes in the table.
std::string letters_of(TensorId id) {
  std::string letters;
  for (const Axis axis : axes_of(id))
    letters += (letters.empty() ? "[" : ",") + std::string(name_of(axis));
  return letters + ']';
}

Complaint check_input(const std::string& name, TensorId id, const Tensor& tensor) {
  if (!tensor.defined()) return name + " is missing; its shape is " + letters_of(id) + '.';
  const Shape& shape = tensor.shape();
  if (shape.rank() != axes_of(id).rank()) {
    return name + " has shape " + describe(shape) + "; it needs three axes, " + letters_of(id) +
           '.';
  }
  if (std::count(shape.begin(), shape.end(), 0U) > 0)
    return name + " has shape " + describe(shape) + "; no axis may have length 0.";
  return std::nullopt;
}

Complaint check_sizes(const Shape& query, const Shape& key, const Shape& value,
                      std::size_t num_heads) {
  if (key[0] != query[0] || value[0] != query[0]) {
    return "query " + describe(query) + ", key " + describe(key) + " and value " + describe(value) +
           " differ in their batch size, the first axis; it must be the same.";
  }
  if (key[1] != value[1]) {
    return "key " + describe(key) + " and value " + describe(value) +
           " differ in their number of tokens, the second axis; each key needs one value.";
  }
  using Limited = std::tuple<const char*, std::size_t, std::size_t>;
  for (const auto& [what, size, most] :
       {Limited{"The batch size", query[0], Limits::batch},
        Limited{"The number of query tokens", query[1], Limits::tokens},
        Limited{"The number of key tokens", key[1], Limits::tokens},
        Limited{"The width of an input", query[2], Limits::embed_dim},
        Limited{"The width of an input", key[2], Limits::embed_dim},
        Limited{"The width of an input", value[2], Limits::embed_dim},
        Limited{"The number of heads", num_heads, Limits::heads}}) {
    if (size <= most) continue;
    return what + (" is " + to_string(size)) + "; at most " + to_string(most) + " is allowed.";
  }
  return std::nullopt;
}

Complaint check_heads(const Config& config) {
  const std::size_t heads = config.num_heads;
  if (heads == 0 || config.embed_dim % heads != 0) {
    return "embed_dim " + to_string(config.embed_dim) + " cannot be split into " +
           to_string(heads) +
           " heads; allowed: " + describe_divisors(config.embed_dim, Limits::heads) + '.';
  }
  if (heads % config.num_kv_heads != 0) {
    return to_string(heads) + (heads == 1 ? " head" : " heads") + " cannot share " +
           to_string(config.num_kv_heads) +
           " heads of keys and values; allowed: " + describe_divisors(heads, heads) + '.';
  }
  const std::size_t longest = std::max(config.query_len, config.key_len);
  if (auto complaint = complaint_about_size("q", {config.batch, longest, config.embed_dim}))
    return complaint;
  return complaint_about_size("scores", lengths_of(config).shape_of(axes_of(roles::weights)));
}

/// Each linear layer has the weight and bias of the table, or only the weight, or neither, in which
/// case its input must already have the width of its output.
Complaint check_weights(const Tensors& given, const Config& config) {
  const ops::Lengths lengths = lengths_of(config);
  const std::vector<Node> rows = rows_of(config, Mistake::none);
  const auto shape_of = [&](TensorId id) {  // by these rows: heads that are shared change letters
    return lengths.shape_of(find(rows, id)->axes);
  };
  for (const Node& row : rows) {
    if (row.operation != &ops::product || row.count < 3) continue;
    const TensorId weight = row.of[1];
    const TensorId bias = row.of[2];
    const std::size_t width_in = shape_of(row.of[0]).back();
    const std::size_t width_out = shape_of(row.id).back();
    if (!given.has(weight) && given.has(bias)) {
      return std::string(name_of(bias)) + " is given without " + std::string(name_of(weight)) +
             "; give both or neither.";
    }
    if (!given.has(weight) && width_in != width_out) {
      return "Without " + std::string(name_of(weight)) +
             " its input is used as it is, so its width " + to_string(width_in) + " must be " +
             (row.axes.has(Axis::K) ? "num_kv_heads · head_dim, " : "embed_dim, ") +
             to_string(width_out) + '.';
    }
    for (const TensorId id : {weight, bias}) {
      const Shape fitting = shape_of(id);
      if (!given.has(id) || given[id].shape() == fitting) continue;
      return std::string(name_of(id)) + " has shape " + describe(given[id].shape()) + "; " +
             describe(fitting) + " fits the inputs.";
    }
  }
  return std::nullopt;
}

Complaint check_scale(const Scale& scale) {
  if (scale.kind != Scale::Kind::number) return std::nullopt;
  if (std::isfinite(scale.number) && scale.number != 0.0F) return std::nullopt;
  const char* number = std::isnan(scale.number)   ? "NaN"
                       : std::isinf(scale.number) ? "an infinite number"
                                                  : "0";
  return std::string("The scores cannot be divided by ") + number +
         "; the scale is a finite number other than 0.";
}

Complaint check_variants(const Tensors& given, const Config& config) {
  const Variants& variants = config.variants;
  const float base = variants.rope_base;
  if (base != 0.0F && !(base >= 1.0F && std::isfinite(base)))
    return "The base of rotary positions must be a finite number of at least 1.";
  if (base != 0.0F && config.head_dim() % 2 != 0) {
    return "Rotary positions turn pairs of numbers, so head_dim must be even; it is " +
           to_string(config.head_dim()) + '.';
  }
  const float cap = variants.softcap;
  if (cap != 0.0F && !(cap > 0.0F && std::isfinite(cap)))
    return "Scores are capped at a finite number above 0.";
  for (const TensorId id : {TensorId("q_norm_weight"), TensorId("k_norm_weight")}) {
    if (!given.has(id)) continue;
    if (!variants.qk_norm) {
      return std::string(name_of(id)) +
             " is given, but queries and keys are not normalised (qk_norm).";
    }
    const Shape fitting = {config.head_dim()};
    if (given[id].shape() == fitting) continue;
    return std::string(name_of(id)) + " has shape " + describe(given[id].shape()) +
           "; it must be [D], here " + describe(fitting) + '.';
  }
  return std::nullopt;
}

Complaint check_mask(const Tensor& mask, const Config& config) {
  const Shape all = lengths_of(config).shape_of(axes_of(roles::mask));  // [B,H,Lq,Lk]
  if (!mask.defined() || expand_mask(mask, all).defined()) return std::nullopt;
  return "The mask has shape " + describe(mask.shape()) +
         "; allowed: " + describe({all[2], all[3]}) + ", " + describe({all[0], all[2], all[3]}) +
         " or " + describe(all) + ", any axis of which may have length 1.";
}

Complaint check_overrides(const Overrides& overrides, const Config& config) {
  for (const auto& [sample, head, query, weights] : overrides.given_weights) {
    if (sample >= config.batch || head >= config.num_heads || query >= config.query_len) {
      return "Weights are given for sample, head and query " + describe({sample, head, query}) +
             ", counted from 0; each must be less than " +
             describe({config.batch, config.num_heads, config.query_len}) + '.';
    }
    if (weights.size() != config.key_len) {
      return to_string(weights.size()) + " weights are given for a query with " +
             to_string(config.key_len) + " keys; each key needs one.";
    }
    for (const float weight : weights) {
      if (!std::isfinite(weight)) return "A given weight is not a finite number.";
    }
  }
  for (const std::size_t head : overrides.ablated_heads) {
    if (head < config.num_heads) continue;
    return "Head " + to_string(head) + " cannot be switched off; heads are counted from 0 to " +
           to_string(config.num_heads - 1) + '.';
  }
  const std::size_t D = config.head_dim();
  const bool transposed = overrides.mistake != Mistake::keys_not_transposed;
  if (transposed || config.key_len == D) return std::nullopt;
  return "Without transposing K the shapes do not fit: q_heads is [Lq,D] = " +
         describe({config.query_len, D}) +
         " and k_heads is [Lk,D] = " + describe({config.key_len, D}) + ", so rows of " +
         to_string(D) + " would meet columns of " + to_string(config.key_len) +
         "; a matrix product needs both equal, here head_dim and the number of keys.";
}

}  // namespace

base::Result<Config> sizes_of(const Tensors& given, const Options& options) {
  // The queries' tokens: token_embedding, if positions are to be added to it.
  const Tensor& query = given[given.has(roles::embedding) ? roles::embedding : roles::query];
  const Tensor& key = given[roles::key];
  const Tensor& value = given[roles::value];
  Complaint complaint = check_input("query", roles::query, query);
  if (!complaint) complaint = check_input("key", roles::key, key);
  if (!complaint) complaint = check_input("value", roles::value, value);
  if (!complaint)
    complaint = check_sizes(query.shape(), key.shape(), value.shape(), options.num_heads);
  if (complaint) return base::fail(*std::move(complaint));

  const Config config{
      .batch = query.dim(0),
      .query_len = query.dim(1),
      .key_len = key.dim(1),
      .embed_dim = query.dim(2),
      .num_heads = options.num_heads,
      .num_kv_heads = options.num_kv_heads == 0 ? options.num_heads : options.num_kv_heads,
      .kdim = key.dim(2),
      .vdim = value.dim(2),
      .scale = options.scale,
      .variants = options.variants};
  complaint = check_heads(config);
  if (complaint) return base::fail(*std::move(complaint));
  return config;
}

base::Result<Config> check(const Tensors& given, const Options& options) {
  base::Result<Config> config = sizes_of(given, options);
  if (!config) return config;
  Complaint complaint = check_weights(given, *config);
  if (!complaint) complaint = check_scale(config->scale);
  if (!complaint) complaint = check_variants(given, *config);
  if (!complaint) complaint = check_mask(given[roles::mask], *config);
  if (!complaint) complaint = check_overrides(options.overrides, *config);
  if (complaint) return base::fail(*std::move(complaint));
  return config;
}

}  // namespace model
