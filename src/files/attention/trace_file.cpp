#include "files/attention/trace_file.hpp"

#include "base/text.hpp"
#include "files/attention/variant_names.hpp"

namespace files {

using base::fail;
using model::TensorId;
using tensor::Tensor;

base::Result<std::vector<std::pair<TensorId, Tensor>>> tensors_of(
    const model::Trace& trace, std::optional<std::size_t> query) {
  if (query && *query >= trace.config.query_len) {
    return fail(base::text("files.trace.no_query",
                           {{"query", *query}, {"last", trace.config.query_len - 1}}));
  }
  std::vector<std::pair<TensorId, Tensor>> tensors;
  std::vector<TensorId> gradients;
  for (std::size_t place = 0; place < model::tensor_count; ++place) {
    const TensorId id = TensorId::at(place);
    const bool is_wanted = trace.has(id) || (query && trace.is_on_demand(id));
    if (is_wanted) tensors.emplace_back(id, trace.at_query(id, query.value_or(0)));
    if (trace.has(id.gradient())) gradients.push_back(id.gradient());
  }
  for (const TensorId id : gradients) tensors.emplace_back(id, trace[id]);
  return tensors;
}

std::string tensor_name(std::string_view attention, std::string_view tensor) {
  return attention.empty() ? std::string(tensor)
                           : std::string(attention) + "." + std::string(tensor);
}

std::string scale_name(const model::Scale& scale) {
  if (scale.kind != model::Scale::Kind::number) return std::string(name_of(scale.kind));
  return digits_of(scale.number);
}

Metadata variants_of(const model::Config& config) {
  const model::Variants& variants = config.variants;
  Metadata chosen;
  if (variants.rope_base > 0.0F) chosen.push_back({"rope", digits_of(variants.rope_base)});
  if (variants.rope_dims > 0) chosen.push_back({"rope_dims", std::to_string(variants.rope_dims)});
  if (variants.rope_neighbours) chosen.push_back({"rope_pairs", "true"});
  if (variants.rope_scaling.kind != model::RopeScaling::Kind::none)
    chosen.push_back({"rope_scaling", rope_scaling_text(variants.rope_scaling)});
  if (variants.rope_attention_factor > 0.0F)
    chosen.push_back({"rope_factor", digits_of(variants.rope_attention_factor)});
  if (variants.alibi) chosen.push_back({"alibi", "true"});
  if (variants.window > 0) chosen.push_back({"window", std::to_string(variants.window)});
  if (variants.window_both_ways) chosen.push_back({"window_both", "true"});
  if (variants.softcap > 0.0F) chosen.push_back({"softcap", digits_of(variants.softcap)});
  if (variants.sink) chosen.push_back({"sink", digits_of(*variants.sink)});
  if (variants.qk_norm) chosen.push_back({"qk_norm", "true"});
  const model::Variants usual;
  if (variants.norm_place != usual.norm_place)
    chosen.push_back({"norm_place", std::string(name_of(variants.norm_place))});
  if (variants.norm_eps != usual.norm_eps)
    chosen.push_back({"norm_eps", digits_of(variants.norm_eps)});
  if (variants.position_bias != usual.position_bias)
    chosen.push_back({"position_bias", std::string(name_of(variants.position_bias))});
  if (variants.position_bias_distance != usual.position_bias_distance)
    chosen.push_back({"position_bias_distance", std::to_string(variants.position_bias_distance)});
  return chosen;
}

Metadata metadata_of(const model::Config& config, std::string_view attention) {
  Metadata metadata = {
      {tensor_name(attention, "num_heads"), std::to_string(config.num_heads)},
      {tensor_name(attention, "num_kv_heads"), std::to_string(config.num_kv_heads)},
      {tensor_name(attention, "scale"), scale_name(config.scale)}};
  for (const auto& [option, value] : variants_of(config))
    metadata.push_back({tensor_name(attention, option), value});
  return metadata;
}

bool is_attention(const model::Trace& trace) { return trace.config.num_heads > 0; }

base::Result<std::vector<std::byte>> write_traces(std::span<const NamedTrace> traces,
                                                  std::optional<std::size_t> query) {
  std::vector<NamedTensor> tensors;
  Metadata metadata = {{"generator", "attention-live " ATTENTION_LIVE_VERSION}};
  for (const auto& [name, trace, more] : traces) {
    metadata.insert(metadata.end(), more.begin(), more.end());
    const auto named = tensors_of(trace, is_attention(trace) ? query : std::nullopt);
    if (!named) {
      const std::string& why = named.error().message;
      return fail(name.empty() ? why : name + ": " + why);
    }
    for (const auto& [id, tensor] : *named)
      tensors.push_back({tensor_name(name, name_of(id)), tensor});
    if (!is_attention(trace)) continue;
    for (auto& entry : metadata_of(trace.config, name)) metadata.push_back(std::move(entry));
  }
  return write_safetensors(tensors, metadata);
}

}  // namespace files
