// Checks the inputs and options of an attention before anything is computed.
#include <algorithm>
#include <cmath>
#include <tuple>

#include "base/text.hpp"
#include "model/attention/attention_part.hpp"
#include "model/attention/mask.hpp"
#include "model/roles.hpp"

namespace model {
namespace {

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
  if (!tensor.defined())
    return base::text("model.input.missing", {{"name", name}, {"axes", letters_of(id)}});
  const Shape& shape = tensor.shape();
  if (shape.rank() != axes_of(id).rank()) {
    return base::text("model.input.axes",
                      {{"name", name}, {"shape", describe(shape)}, {"axes", letters_of(id)}});
  }
  if (std::count(shape.begin(), shape.end(), 0U) > 0)
    return base::text("model.input.empty_axis", {{"name", name}, {"shape", describe(shape)}});
  return std::nullopt;
}

Complaint check_sizes(const Shape& query, const Shape& key, const Shape& value,
                      std::size_t num_heads) {
  if (key[0] != query[0] || value[0] != query[0]) {
    return base::text(
        "model.input.batch_sizes",
        {{"query", describe(query)}, {"key", describe(key)}, {"value", describe(value)}});
  }
  if (key[1] != value[1]) {
    return base::text("model.input.numbers_of_tokens",
                      {{"key", describe(key)}, {"value", describe(value)}});
  }
  using Limited = std::tuple<const char*, std::size_t, std::size_t>;
  for (const auto& [key_of_text, size, most] :
       {Limited{"model.limit.batch", query[0], Limits::batch},
        Limited{"model.limit.query_tokens", query[1], Limits::tokens},
        Limited{"model.limit.key_tokens", key[1], Limits::tokens},
        Limited{"model.limit.input_width", query[2], Limits::embed_dim},
        Limited{"model.limit.input_width", key[2], Limits::embed_dim},
        Limited{"model.limit.input_width", value[2], Limits::embed_dim},
        Limited{"model.limit.heads", num_heads, Limits::heads}}) {
    if (size > most) return base::text(key_of_text, {{"size", size}, {"most", most}});
  }
  return std::nullopt;
}

Complaint check_heads(const Config& config) {
  const std::size_t heads = config.num_heads;
  const bool divides = config.own_head_dim != 0 || (heads != 0 && config.embed_dim % heads == 0);
  if (heads == 0 || !divides) {
    return base::text("model.heads.embed_dim",
                      {{"embed_dim", config.embed_dim},
                       {"heads", heads},
                       {"allowed", describe_divisors(config.embed_dim, Limits::heads)}});
  }
  if (heads % config.num_kv_heads != 0) {
    return base::counted_text(
        "model.heads.shared", heads,
        {{"kv_heads", config.num_kv_heads}, {"allowed", describe_divisors(heads, heads)}});
  }
  if (config.own_head_dim > Limits::embed_dim / heads) {
    return base::text("model.limit.input_width",
                      {{"size", config.own_head_dim}, {"most", Limits::embed_dim / heads}});
  }
  const std::size_t longest = std::max(config.query_len, config.key_len);
  if (auto complaint = complaint_about_size("q", {config.batch, longest, config.inner_dim()}))
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
      return base::text("model.weight.bias_alone",
                        {{"bias", name_of(bias)}, {"weight", name_of(weight)}});
    }
    if (!given.has(weight) && width_in != width_out) {
      return base::text(
          "model.weight.input_as_it_is",
          {{"weight", name_of(weight)},
           {"width", width_in},
           {"wanted", row.axes.has(Axis::K) ? "num_kv_heads · head_dim"
                      : row.axes.has(Axis::A) && config.own_head_dim != 0 ? "num_heads · head_dim"
                                                                          : "embed_dim"},
           {"wanted_width", width_out}});
    }
    for (const TensorId id : {weight, bias}) {
      const Shape fitting = shape_of(id);
      if (!given.has(id) || given[id].shape() == fitting) continue;
      return base::text("model.weight.does_not_fit", {{"name", name_of(id)},
                                                      {"shape", describe(given[id].shape())},
                                                      {"fitting", describe(fitting)}});
    }
  }
  return std::nullopt;
}

Complaint check_scale(const Scale& scale) {
  if (scale.kind != Scale::Kind::number) return std::nullopt;
  if (std::isfinite(scale.number) && scale.number != 0.0F) return std::nullopt;
  if (std::isinf(scale.number)) return std::string(base::text("model.scale.infinite"));
  return base::text("model.scale.number", {{"number", std::isnan(scale.number) ? "NaN" : "0"}});
}

Complaint check_rotation(const Config& config) {
  const Variants& variants = config.variants;
  const float base = variants.rope_base;
  if (base == 0.0F) return std::nullopt;  // what they would be like does not matter
  if (!(base >= 1.0F && std::isfinite(base))) return std::string(base::text("model.rotary.base"));
  if (variants.rope_dims == 0 && config.head_dim() % 2 != 0)
    return base::text("model.rotary.head_dim", {{"head_dim", config.head_dim()}});
  if (config.rope_dims() % 2 != 0 || config.rope_dims() > config.head_dim()) {
    return base::text("model.rotary.dims",
                      {{"dims", config.rope_dims()}, {"head_dim", config.head_dim()}});
  }
  const RopeScaling& scaling = variants.rope_scaling;
  const auto ordered = [](float low, float high) {
    return low > 0.0F && low < high && std::isfinite(high);
  };
  const bool fits =
      scaling.factor >= 1.0F && std::isfinite(scaling.factor) && scaling.original_length > 0 &&
      ordered(scaling.low_freq_factor, scaling.high_freq_factor) &&
      ordered(scaling.beta_slow, scaling.beta_fast) &&
      (scaling.kind != RopeScaling::Kind::yarn || base > 1.0F) &&
      variants.rope_attention_factor >= 0.0F && std::isfinite(variants.rope_attention_factor);
  if (!fits) return std::string(base::text("model.rotary.scaling"));
  return std::nullopt;
}

/// Which tensor the biases are read from is there, and its rows are as many as `config` needs.
Complaint check_position_bias(const Tensors& given, const Config& config) {
  const Variants& variants = config.variants;
  const PositionBias kind = variants.position_bias;
  if (kind == PositionBias::none) return std::nullopt;
  if (variants.alibi) return std::string(base::text("model.position_bias.alibi"));
  const TensorId wanted =
      kind == PositionBias::given ? TensorId("position_bias") : TensorId("position_bias_table");
  if (!given.has(wanted))
    return base::text("model.position_bias.missing", {{"name", name_of(wanted)}});
  if (kind == PositionBias::given) return std::nullopt;
  const std::size_t rows = given[wanted].dim(0);
  if (kind == PositionBias::shifted_windows) {
    std::size_t side = 1;
    while (side * side < config.key_len) ++side;
    const bool fits = side * side == config.key_len && config.query_len == config.key_len &&
                      rows == (2 * side - 1) * (2 * side - 1);
    if (fits) return std::nullopt;
    return base::text("model.position_bias.window",
                      {{"queries", config.query_len}, {"keys", config.key_len}, {"rows", rows}});
  }
  const std::size_t exact = kind == PositionBias::t5 ? rows / 4 : rows / 2;
  if (rows >= 4 && variants.position_bias_distance > exact) return std::nullopt;
  return base::text(
      "model.position_bias.buckets",
      {{"rows", rows}, {"exact", exact}, {"distance", variants.position_bias_distance}});
}

/// A tensor of a variant, which is read only where that is chosen.
struct VariantTensor {
  TensorId id;
  std::string_view variant;
  bool chosen;
  std::string_view axes;
  Shape shape;
};

Complaint check_tensors(const Tensors& given, const Config& config) {
  const Variants& variants = config.variants;
  const bool full = variants.norm_place == Variants::NormPlace::all_heads;
  const bool from_table =
      variants.position_bias != PositionBias::none && variants.position_bias != PositionBias::given;
  const Tensor& table = given["position_bias_table"];
  const std::size_t rows = table.defined() && table.rank() == 2 ? table.dim(0) : 0;
  const std::size_t heads = config.num_heads;
  const std::size_t D = config.head_dim();
  for (const VariantTensor& tensor :
       {VariantTensor{"sinks", "sink", variants.sink.has_value(), "[H]", {heads}},
        VariantTensor{"q_norm_weight",
                      "qk_norm",
                      variants.qk_norm,
                      full ? "[H·D]" : "[D]",
                      {full ? heads * D : D}},
        VariantTensor{"k_norm_weight",
                      "qk_norm",
                      variants.qk_norm,
                      full ? "[G·D]" : "[D]",
                      {full ? config.num_kv_heads * D : D}},
        VariantTensor{
            "rope_frequencies", "rope", variants.rope_base > 0.0F, "[P]", {config.rope_dims() / 2}},
        VariantTensor{"position_bias",
                      "position_bias",
                      variants.position_bias == PositionBias::given,
                      "[H,Lq,Lk]",
                      {heads, config.query_len, config.key_len}},
        VariantTensor{
            "position_bias_table", "position_bias", from_table, "[N,H]", {rows, heads}}}) {
    if (!given.has(tensor.id)) continue;
    const std::string_view name = name_of(tensor.id);
    if (!tensor.chosen)
      return base::text("model.variant.unused", {{"name", name}, {"variant", tensor.variant}});
    const Shape& shape = given[tensor.id].shape();
    if (shape == tensor.shape && shape.product() > 0) continue;
    return base::text("model.variant.shape", {{"name", name},
                                              {"shape", describe(shape)},
                                              {"axes", tensor.axes},
                                              {"wanted", describe(tensor.shape)}});
  }
  return std::nullopt;
}

Complaint check_variants(const Tensors& given, const Config& config) {
  const Variants& variants = config.variants;
  if (auto complaint = check_rotation(config)) return complaint;
  const float cap = variants.softcap;
  if (cap != 0.0F && !(cap > 0.0F && std::isfinite(cap)))
    return std::string(base::text("model.softcap.number"));
  if (variants.sink && !std::isfinite(*variants.sink))
    return std::string(base::text("model.sink.number"));
  if (!(variants.norm_eps > 0.0F && std::isfinite(variants.norm_eps)))
    return std::string(base::text("model.norm.eps"));
  if (auto complaint = check_tensors(given, config)) return complaint;
  return check_position_bias(given, config);
}

Complaint check_mask(const Tensor& mask, const Config& config) {
  const Shape all = lengths_of(config).shape_of(axes_of(roles::mask));  // [B,H,Lq,Lk]
  if (!mask.defined() || expand_mask(mask, all).defined()) return std::nullopt;
  return base::text("model.mask.shape", {{"shape", describe(mask.shape())},
                                         {"for_all", describe({all[2], all[3]})},
                                         {"per_sample", describe({all[0], all[2], all[3]})},
                                         {"per_head", describe(all)}});
}

Complaint check_overrides(const Overrides& overrides, const Config& config) {
  for (const auto& [sample, head, query, weights] : overrides.given_weights) {
    if (sample >= config.batch || head >= config.num_heads || query >= config.query_len) {
      return base::text("model.given_weights.place",
                        {{"place", describe({sample, head, query})},
                         {"end", describe({config.batch, config.num_heads, config.query_len})}});
    }
    if (weights.size() != config.key_len) {
      return base::text("model.given_weights.number",
                        {{"weights", weights.size()}, {"keys", config.key_len}});
    }
    for (const float weight : weights) {
      if (!std::isfinite(weight)) return std::string(base::text("model.given_weights.not_finite"));
    }
  }
  for (const std::size_t head : overrides.ablated_heads) {
    if (head < config.num_heads) continue;
    return base::text("model.ablation.no_such_head",
                      {{"head", head}, {"last", config.num_heads - 1}});
  }
  const bool other_softmax = overrides.mistake == Mistake::softmax_over_queries ||
                             overrides.mistake == Mistake::mask_after_softmax ||
                             overrides.mistake == Mistake::naive_softmax ||
                             overrides.mistake == Mistake::no_softmax;
  if (config.variants.sink && other_softmax)
    return std::string(base::text("model.mistake.with_sink"));
  const std::size_t D = config.head_dim();
  const bool transposed = overrides.mistake != Mistake::keys_not_transposed;
  if (transposed || config.key_len == D) return std::nullopt;
  return base::text("model.mistake.keys_not_transposed",
                    {{"q_shape", describe({config.query_len, D})},
                     {"k_shape", describe({config.key_len, D})},
                     {"head_dim", D},
                     {"keys", config.key_len}});
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

  const std::size_t heads = options.num_heads;
  const bool is_usual = heads != 0 && options.head_dim * heads == query.dim(2);
  const Config config{.batch = query.dim(0),
                      .query_len = query.dim(1),
                      .key_len = key.dim(1),
                      .embed_dim = query.dim(2),
                      .num_heads = heads,
                      .num_kv_heads = options.num_kv_heads == 0 ? heads : options.num_kv_heads,
                      .kdim = key.dim(2),
                      .vdim = value.dim(2),
                      .scale = options.scale,
                      .variants = options.variants,
                      .own_head_dim = is_usual ? 0 : options.head_dim};
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
