#include "files/layers/config/positions.hpp"

#include <array>
#include <cmath>

#include "base/text.hpp"
#include "files/quote.hpp"
#include "model/attention/rope_frequencies.hpp"

namespace files {
namespace {

using base::Json;
using model::RopeScaling;

constexpr double largest_base = model::largest_rope_base;

/// The number of a member, by which the angles are scaled, where it is there.
void take_number(const ConfigFields& scaling, std::string_view name, float& to) {
  if (const auto number = scaling.number(name, 1e-3, 1e6)) to = static_cast<float>(*number);
}

/// What the angle of each pair is divided by; empty where one of them is no number for that.
std::vector<float> divisors_in(const ConfigFields& scaling, std::string_view name) {
  constexpr std::size_t most = model::Limits::embed_dim;
  std::vector<float> divisors;
  const Json* list = scaling.member(name);
  if (list == nullptr || !list->is_array() || list->size() > most) return {};
  for (const Json& each : list->elements()) {
    if (!each.is_number() || !(each.number() >= 1e-3 && each.number() <= 1e9)) return {};
    divisors.push_back(static_cast<float>(each.number()));
  }
  return divisors;
}

/// LongRoPE (Ding et al., 2024), as _compute_longrope_parameters of transformers has it: lists of
/// divisors, one for texts of the original length, one for longer ones. False where they do not
/// fit.
bool take_long_rope(const ConfigFields& config, const ConfigFields& scaling,
                    FoundAttention& found) {
  LongRope made{.shorter = divisors_in(scaling, "short_factor"),
                .longer = divisors_in(scaling, "long_factor")};
  const std::size_t heads = std::max<std::size_t>(usual_heads(found), 1);
  const std::size_t dims = variants_of(found, heads).rope_dims;
  const std::size_t pairs = (dims == 0 ? found.inner_dim / heads : dims) / 2;
  if (made.shorter.size() != pairs || made.longer.size() != pairs) return false;
  const double longest = config.number("max_position_embeddings", 1.0, 1e9).value_or(0.0);
  auto original = config.number("original_max_position_embeddings", 2.0, 1e9);
  if (!original) original = scaling.number("original_max_position_embeddings", 2.0, 1e9);
  const double length = original.value_or(std::max(longest, 2.0));
  const double factor = original && longest > 0.0
                            ? longest / length
                            : scaling.number("factor", 1e-3, 1e6).value_or(1.0);
  auto by = scaling.number("attention_factor", 1e-3, 1e3);
  if (!by) by = factor <= 1.0 ? 1.0 : std::sqrt(1.0 + std::log(factor) / std::log(length));
  made.original_length = static_cast<std::size_t>(length);
  const auto factor_named = [&](std::string_view name) {  // PhiMoE's
    return static_cast<float>(scaling.number(name, 1e-3, 1e3).value_or(*by));
  };
  made.shorter_factor = factor_named("short_mscale");
  made.longer_factor = factor_named("long_mscale");
  found.long_rope = std::move(made);
  return true;
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
  if ((type == "longrope" || type == "su") && take_long_rope(config, scaling, found)) return;
  if (made.kind == RopeScaling::Kind::none) {
    made = {};
    found.sayings.push_back({"files.config.scaled", std::string(name), in_quotes(type)});
    return;
  }
  take_number(scaling, "factor", made.factor);
  take_number(scaling, "low_freq_factor", made.low_freq_factor);
  take_number(scaling, "high_freq_factor", made.high_freq_factor);
  take_number(scaling, "beta_fast", made.beta_fast);
  take_number(scaling, "beta_slow", made.beta_slow);
  made.from_whole_pairs = !scaling.is_false("truncate");
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
  auto part = config.number("partial_rotary_factor,rotary_pct,rotary_emb_fraction", 0.0, 1.0);
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

tensor::Tensor rope_frequencies_of(const FoundAttention& found, std::size_t num_heads,
                                   std::size_t tokens) {
  const LongRope& rope = found.long_rope;
  const std::vector<float>& divisors = tokens > rope.original_length ? rope.longer : rope.shorter;
  model::Variants variants = variants_of(found, num_heads);
  if (divisors.empty() || num_heads == 0 || variants.rope_base == 0.0F) return {};
  const std::size_t head_dim = found.inner_dim / num_heads;
  const std::size_t dims = variants.rope_dims == 0 ? head_dim : variants.rope_dims;
  if (dims / 2 != divisors.size()) return {};
  tensor::Tensor frequencies = model::rope_frequencies(variants, dims);
  float* number = frequencies.mutable_data();
  for (const float divisor : divisors) *number++ /= divisor;
  return frequencies;
}

model::Variants variants_of(const FoundAttention& found, std::size_t num_heads,
                            std::size_t tokens) {
  model::Variants variants = found.variants;
  const LongRope& rope = found.long_rope;
  if (!rope.shorter.empty() && variants.rope_base > 0.0F)
    variants.rope_attention_factor =
        tokens > rope.original_length ? rope.longer_factor : rope.shorter_factor;
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
  // ESM, Granite 4 and what is called BERT, but is not (JinaBERT).
  if (kind == "nope" || (row != nullptr && kind == "absolute"))
    set_positions(found, Positions::none, 1.0F);
  if (kind == "alibi") set_positions(found, Positions::alibi, 1.0F);
  const bool is_turned =
      found.positions == Positions::halves || found.positions == Positions::pairs;
  if ((kind == "rotary" || kind == "rope") && !is_turned)
    set_positions(found, Positions::halves, 1.0F);
  if (config.is_true("rotary_emb_interleaved") && found.positions == Positions::halves)
    set_positions(found, Positions::pairs, found.rotary_part);
  const ConfigFields inner = config.inside("attn_config");  // MPT's
  if (found.positions == Positions::alibi && inner.is_false("alibi"))
    set_positions(found, inner.is_true("rope") ? Positions::halves : Positions::none, 1.0F);
  const auto slopes = inner.number("alibi_bias_max", 1e-3, 1e6);
  if (found.positions == Positions::alibi && slopes && *slopes != 8.0)
    inner.say("files.config.not_computed", "alibi_bias_max", *inner.member("alibi_bias_max"));
  if (config.is_true("alibi") && found.positions == Positions::halves) {
    // Falcon adds it before the division by √D.
    found.problem = base::text("files.config.problem", {{"name", "alibi"}, {"value", "true"}});
    return;
  }
  using model::PositionBias;
  PositionBias& bias = found.variants.position_bias;
  if (bias == PositionBias::t5 || bias == PositionBias::t5_look_back) {
    bias = found.causal ? PositionBias::t5_look_back : PositionBias::t5;
    if (const auto distance = config.number("relative_attention_max_distance", 2.0, 1e6))
      found.variants.position_bias_distance = static_cast<std::size_t>(*distance);
  }
  if (found.variants.rope_base == 0.0F) return;
  if (is_left_out(config, found)) return set_positions(found, Positions::none, 1.0F);
  take_rotary(config, row, found);
}

}  // namespace files
