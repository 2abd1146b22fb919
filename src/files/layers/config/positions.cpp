#include "files/layers/config/positions.hpp"

#include <array>
#include <cmath>

#include "base/text.hpp"
#include "files/quote.hpp"

namespace files {
namespace {

using base::Json;
using model::RopeScaling;

constexpr double largest_base = 1e30;

/// The number of a member, by which the angles are scaled, where it is there.
void take_number(const ConfigFields& scaling, std::string_view name, float& to) {
  if (const auto number = scaling.number(name, 1e-3, 1e6)) to = static_cast<float>(*number);
}

/// What rope_scaling, or rope_parameters, says about the angles.
void take_scaling(const ConfigFields& config, const ConfigFields& scaling, std::string_view name,
                  FoundAttention& found) {
  std::string type = scaling.text("rope_type");
  if (type.empty()) type = scaling.text("type");
  // "dynamic" begins to scale where texts are longer than all that are computed here; "mrope" has
  // three positions, which are the same for text.
  if (type.empty() || type == "default" || type == "dynamic" || type == "mrope") return;
  RopeScaling& made = found.variants.rope_scaling;
  if (type == "linear") made.kind = RopeScaling::Kind::linear;
  if (type == "llama3") made.kind = RopeScaling::Kind::llama3;
  if (type == "yarn") made.kind = RopeScaling::Kind::yarn;
  if (made.kind == RopeScaling::Kind::none || scaling.is_false("truncate")) {
    made = {};
    found.sayings.push_back({"files.config.scaled", std::string(name), in_quotes(type)});
    return;
  }
  take_number(scaling, "factor", made.factor);
  take_number(scaling, "low_freq_factor", made.low_freq_factor);
  take_number(scaling, "high_freq_factor", made.high_freq_factor);
  take_number(scaling, "beta_fast", made.beta_fast);
  take_number(scaling, "beta_slow", made.beta_slow);
  take_number(scaling, "attention_factor", found.variants.rope_attention_factor);
  auto length = scaling.number("original_max_position_embeddings", 1.0, 1e9);
  if (!length)
    length = config.number("original_max_position_embeddings,max_position_embeddings", 1.0, 1e9);
  if (length) made.original_length = static_cast<std::size_t>(*length);
  const auto one = scaling.number("mscale", 1e-3, 1e3);
  const auto other = scaling.number("mscale_all_dim", 1e-3, 1e3);
  if (made.kind != RopeScaling::Kind::yarn || !one || !other) return;
  const double log = 0.1 * std::log(static_cast<double>(made.factor));
  found.variants.rope_attention_factor =
      static_cast<float>((*one * log + 1.0) / (*other * log + 1.0));
}

/// Whether this layer has no rotary positions: 0 in no_rope_layers, or each so many of them.
bool is_left_out(const ConfigFields& config, const FoundAttention& found) {
  if (!found.layer) return false;
  const Json* layers = config.member("no_rope_layers");
  if (layers != nullptr && layers->is_array() && *found.layer < layers->size()) {
    const Json& has = layers->elements()[*found.layer];
    return has.is_number() && has.number() == 0.0;
  }
  const std::size_t every = config.whole("no_rope_layer_interval");
  return every != 0 && (*found.layer + 1) % every == 0;
}

/// Whether the layer is one of those with a window, where they have rotary positions of their own.
bool is_local(const ConfigFields& config, const Architecture* row, const FoundAttention& found) {
  const std::size_t layer = found.layer.value_or(0);
  const Json* types = config.member("layer_types");
  if (types != nullptr && types->is_array() && layer < types->size()) {
    const std::string* type = types->elements()[layer].text();
    return type != nullptr && *type == "sliding_attention";
  }
  if (const std::size_t every = config.whole("global_attn_every_n_layers"); every != 0)
    return layer % every != 0;
  std::size_t every = config.whole("sliding_window_pattern");
  if (every == 0 && row != nullptr) every = row->full_layer;
  return every != 0 && (layer + 1) % every != 0;
}

/// The base, and which part of each head is turned.
void take_rotary(const ConfigFields& config, const Architecture* row, FoundAttention& found) {
  const bool local = is_local(config, row, found);
  ConfigFields parameters = config.inside("rope_parameters");
  const char* const kind = local ? "sliding_attention" : "full_attention";
  if (const Json* of_kind = parameters.member(kind); of_kind != nullptr)
    parameters = parameters.inside(kind);
  auto base = config.number(local ? "local_rope_theta,rope_local_base_freq" : "global_rope_theta",
                            1.0, largest_base);
  const bool has_own_base = base.has_value();
  if (!base) base = config.number("rope_theta,rotary_emb_base", 1.0, largest_base);
  if (!base) base = parameters.number("rope_theta", 1.0, largest_base);
  if (base) {
    found.variants.rope_base = static_cast<float>(*base);
    found.rope_is_said = true;
  }
  auto part = config.number("partial_rotary_factor,rotary_pct", 0.0, 1.0);
  if (!part) part = parameters.number("partial_rotary_factor", 0.0, 1.0);
  const auto head_dim = found.inner_dim / std::max<std::size_t>(usual_heads(found), 1);
  if (part) set_rotary_part(found, *part);
  if (const auto dims = config.number("rotary_dim", 1.0, static_cast<double>(head_dim))) {
    set_rotary_part(found, *dims / static_cast<double>(head_dim));
  }
  if (local && has_own_base) return;  // Gemma 3 scales the angles of its other layers only
  take_scaling(config, config.inside("rope_scaling"), "rope_scaling", found);
  take_scaling(config, parameters, "rope_parameters", found);
}

}  // namespace

void set_rotary_part(FoundAttention& found, double part) {
  found.rotary_part = static_cast<float>(part);
  if (part == 0.0) set_positions(found, Positions::none, 1.0F);
}

void set_positions(FoundAttention& found, Positions positions, float part) {
  if (found.is_cross) positions = Positions::none;
  found.positions = positions;
  const bool is_rotary = positions == Positions::halves || positions == Positions::pairs;
  if (!is_rotary || found.variants.rope_base == 0.0F)
    found.variants.rope_base = is_rotary ? 10'000.0F : 0.0F;
  found.variants.rope_neighbours = positions == Positions::pairs;
  found.variants.alibi = positions == Positions::alibi;
  found.rotary_part = is_rotary ? part : 1.0F;
}

model::Variants variants_of(const FoundAttention& found, std::size_t num_heads) {
  model::Variants variants = found.variants;
  if (found.rotary_part != 1.0F && num_heads != 0) {
    const auto head_dim = static_cast<float>(found.inner_dim / num_heads);
    const auto dims = static_cast<std::size_t>(std::lround(head_dim * found.rotary_part));
    variants.rope_dims = dims / 2 * 2;
    if (variants.rope_dims == 0) variants.rope_base = 0.0F;
  }
  return variants;
}

void take_positions(const ConfigFields& config, const Architecture* row, FoundAttention& found) {
  if (row != nullptr) set_positions(found, row->positions, row->rotary_part);
  const std::string kind = config.text("position_embedding_type");
  if (kind.starts_with("relative_key")) {
    found.problem = base::text("files.config.problem",
                               {{"name", "position_embedding_type"}, {"value", in_quotes(kind)}});
    return;
  }
  if (row != nullptr && found.positions == Positions::halves && kind == "absolute")  // ESM
    set_positions(found, Positions::none, 1.0F);
  const ConfigFields inner = config.inside("attn_config");  // MPT's
  if (found.positions == Positions::alibi && inner.is_false("alibi"))
    set_positions(found, inner.is_true("rope") ? Positions::halves : Positions::none, 1.0F);
  if (config.is_true("alibi") && found.positions == Positions::halves) {
    // Falcon adds it before the division by √D.
    found.problem = base::text("files.config.problem", {{"name", "alibi"}, {"value", "true"}});
    return;
  }
  if (found.variants.rope_base == 0.0F) return;
  if (is_left_out(config, found)) return set_positions(found, Positions::none, 1.0F);
  take_rotary(config, row, found);
}

}  // namespace files
