#include "files/layers/config/model_config.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.hpp"
#include "files/layers/config/config_fields.hpp"
#include "files/layers/config/positions.hpp"
#include "files/quote.hpp"

namespace files {
namespace {

using base::fail;
using base::Json;
using model::Scale;

/// Python's json.dump writes Infinity, -Infinity and NaN where a number has no JSON: each becomes
/// null.
std::string without_pythons_words(std::string_view json) {
  std::string text;
  bool in_text = false;
  while (!json.empty()) {
    if (!in_text) {
      const auto words = {std::string_view("-Infinity"), std::string_view("Infinity"),
                          std::string_view("NaN")};
      const auto* const word = std::find_if(words.begin(), words.end(),
                                            [&](auto each) { return json.starts_with(each); });
      if (word != words.end()) {
        text += "null";
        json.remove_prefix(word->size());
        continue;
      }
    }
    const bool is_escape = in_text && json.front() == '\\' && json.size() > 1;
    if (json.front() == '"') in_text = !in_text;
    text += json.substr(0, is_escape ? 2 : 1);
    json.remove_prefix(is_escape ? 2 : 1);
  }
  return text;
}

/// Takes what the config says over into one attention.
class Taker {
 public:
  Taker(const Tower& tower, FoundAttention& found)
      : tower_(tower), config_(*tower.fields, found.sayings), found_(found) {}

  void take() {
    take_model_type();
    if (!found_.problem.empty()) return;
    take_heads();
    take_positions(config_, row_, found_);
    take_scale();
    take_window();
    take_norms();
    config_.say_what_is_not_computed();
    config_.inside("attn_config").say_what_is_not_computed();
  }

 private:
  void take_model_type() {
    row_ = architecture_of(tower_.model_type);
    // Configs call the part that sees like the whole model: Qwen2-VL's vision_config is "qwen2_vl".
    if (tower_.senses && row_ != nullptr && row_->sight == Sight::back)
      row_ = architecture_of(tower_.model_type + "_vision");
    if (row_ == nullptr) {
      if (config_.is_true("is_decoder") && !found_.is_cross) found_.causal = true;
      if (!tower_.model_type.empty())
        found_.sayings.push_back({"files.config.unknown_type", in_quotes(tower_.model_type)});
      return;
    }
    found_.is_known = true;
    if (found_.needs_config) found_.problem.clear();
    if (!row_->is_computed) {
      found_.problem = base::text("files.config.other_type", {{"type", tower_.model_type}});
      return;
    }
    const bool in_decoder = found_.name.find("decoder") != std::string::npos;
    const bool is_back = row_->sight == Sight::back ||
                         (row_->sight == Sight::decoder && in_decoder) ||
                         (row_->sight == Sight::text && tower_.reads_text);
    const bool looks_back = (is_back || config_.is_true("is_decoder")) &&
                            !config_.is_true("use_bidirectional_attention") &&
                            !config_.is_false("is_causal");
    found_.causal = !found_.is_cross && looks_back;
    found_.norm_adds_one = row_->norm_adds_one;
    if (!row_->is_scaled) found_.scale = {.kind = Scale::Kind::none};
    if (row_->is_scaled) found_.scale = {};
    if (tower_.model_type == "gpt_bigcode" && !config_.is_false("multi_query")) return;
    if (tower_.model_type == "gpt_bigcode" || tower_.model_type == "persimmon") pack_by_head();
  }

  void pack_by_head() {
    found_.packing = Packing::by_head;
    for (WeightPlace& place : found_.weights) {
      const std::string_view name = model::name_of(place.id);
      place.part = name.starts_with('q')   ? 0
                   : name.starts_with('k') ? 1
                   : name.starts_with('v') ? 2
                                           : 3;
    }
  }

  /// How many heads there are: a number that fits the widths, and neither contradicts others.
  void take_heads() {
    const bool in_decoder = found_.name.find("decoder") != std::string::npos;
    std::size_t heads =
        config_.whole(in_decoder ? "decoder_attention_heads" : "encoder_attention_heads");
    if (heads == 0 && !(config_.member("num_heads") != nullptr &&
                        config_.member("num_heads")->is_array()))  // Swin has one for each stage
      heads = config_.whole("num_attention_heads,n_head,n_heads,num_heads,attention_heads");
    const std::size_t head_dim = config_.whole("head_dim,d_kv,kv_channels");
    const std::size_t shared =
        config_.whole("num_key_value_heads,num_kv_heads,n_head_kv,n_kv_heads");
    if (heads == 0 && head_dim != 0 && found_.inner_dim % head_dim == 0)
      heads = found_.inner_dim / head_dim;
    if (heads == 0 || (found_.num_heads && !found_.weak_heads)) return;
    const std::vector<std::size_t> choices = head_choices(found_);
    const bool fits = std::find(choices.begin(), choices.end(), heads) != choices.end();
    const bool of_other_width = head_dim != 0 && head_dim * heads != found_.inner_dim;
    // Falcon says as many heads of keys as of queries where all share one.
    const bool shared_otherwise =
        shared != 0 && fits && kv_heads(found_, heads) != shared && found_.family != Family::falcon;
    if (fits && !of_other_width && !shared_otherwise)
      found_.num_heads = heads;
    else
      found_.sayings.push_back({"files.config.heads", std::to_string(heads)});
  }

  /// √D, where heads are known.
  double root() const {
    return std::sqrt(static_cast<double>(found_.inner_dim) /
                     static_cast<double>(usual_heads(found_)));
  }
  void divide_by(double divisor) {
    found_.scale = {Scale::Kind::number, static_cast<float>(divisor)};
  }

  void take_scale() {
    constexpr double least = 1e-6;
    constexpr double most = 1e6;
    if (config_.is_false("scale_attn_weights")) found_.scale = {.kind = Scale::Kind::none};
    if (config_.is_true("scale_attn_by_inverse_layer_idx") && found_.layer) {
      const double layer = static_cast<double>(*found_.layer) + 1.0;
      divide_by(found_.scale.kind == Scale::Kind::none ? layer : root() * layer);
    }
    if (const auto factor = config_.number("attention_multiplier", least, most))
      divide_by(1.0 / *factor);
    if (const auto scalar = config_.number("query_pre_attn_scalar", least, most))
      divide_by(std::sqrt(*scalar));
    if (const Json* cap = config_.member("attn_logit_softcapping"); cap != nullptr) {
      if (const auto number = config_.number("attn_logit_softcapping", 1e-3, most))
        found_.variants.softcap = static_cast<float>(*number);
    }
  }

  /// GPT-Neo's [[["global", "local"], 12]]: what a layer is; empty where it is not said.
  std::string kind_in_types(std::size_t layer) const {
    const Json* types = config_.member("attention_types");
    if (types == nullptr || !types->is_array()) return {};
    for (const Json& each : types->elements()) {
      if (!each.is_array() || each.size() != 2) return {};
      const Json& kinds = each.elements()[0];
      const Json& times = each.elements()[1];
      if (!kinds.is_array() || kinds.empty() || !times.is_whole() || times.number() < 0.0)
        return {};
      const double all = times.number() * static_cast<double>(kinds.size());
      if (static_cast<double>(layer) >= all) {
        layer -= static_cast<std::size_t>(all);
        continue;
      }
      const std::string* kind = kinds.elements()[layer % kinds.size()].text();
      return kind == nullptr ? std::string() : *kind;
    }
    return {};
  }

  /// Whether the layer has the window, by lists and patterns of layers.
  bool has_window() const {
    const std::size_t layer = found_.layer.value_or(0);
    // "sliding_attention", "full_attention"; "local" and "global" in GPT-Neo.
    for (const std::string_view name : {"layer_types", "attention_layers"}) {
      const Json* types = config_.member(name);
      if (types == nullptr || !types->is_array() || layer >= types->size()) continue;
      const std::string* type = types->elements()[layer].text();
      return type != nullptr && (*type == "sliding_attention" || *type == "local");
    }
    if (const std::string kind = kind_in_types(layer); !kind.empty()) return kind == "local";
    if (config_.is_false("use_sliding_window")) return false;
    const bool is_asked = config_.is_true("use_sliding_window");
    if (row_ != nullptr && row_->window_is_asked && !is_asked) return false;
    if (const std::size_t first = config_.whole("max_window_layers"); is_asked && first != 0)
      return layer >= first;
    if (const std::string pattern = config_.text("sliding_window_pattern"); !pattern.empty())
      return pattern[layer % pattern.size()] == 'L';
    std::size_t every = row_ == nullptr ? 0 : row_->full_layer;
    const Json* said = config_.member("sliding_window_pattern,_sliding_window_pattern");
    if (said != nullptr && said->is_whole() && said->number() >= 1.0)
      every = static_cast<std::size_t>(said->number());
    return every == 0 || (layer + 1) % every != 0;
  }

  void take_norms() {
    if (!found_.variants.qk_norm) {
      if (config_.is_true("use_qk_norm"))
        config_.say("files.config.not_computed", "use_qk_norm", *config_.member("use_qk_norm"));
      return;
    }
    constexpr const char* names =
        "rms_norm_eps,layer_norm_eps,layer_norm_epsilon,norm_eps,norm_epsilon";
    if (const auto eps = config_.number(names, 1e-12, 1.0))
      found_.variants.norm_eps = static_cast<float>(*eps);
  }

  /// Of attentions that see both ways, where the config says how wide it is on both sides together:
  /// ModernBERT, and Gemma 3 as an encoder.
  void take_window_both_ways() {
    const bool of_gemma = config_.is_true("use_bidirectional_attention");
    const Json* other = config_.member("sliding_window");
    if (!of_gemma && other != nullptr && !config_.is_false("use_sliding_window"))
      config_.say("files.config.not_computed", "sliding_window", *other);
    const char* const name = of_gemma ? "sliding_window" : "local_attention";
    const auto window = config_.number(name, 1.0, 1e12);
    if (!window || !(of_gemma ? has_window() : is_local(config_, row_, found_))) return;
    const double half = std::floor(*window / 2.0) + 1.0;
    if (half > static_cast<double>(model::Limits::tokens)) return;
    found_.variants.window = static_cast<std::size_t>(half);
    found_.variants.window_both_ways = true;
  }

  void take_window() {
    if (found_.is_cross) return;
    if (!found_.causal) return take_window_both_ways();
    const char* const names = tower_.model_type == "gpt_neo" ? "window_size" : "sliding_window";
    const Json* said = config_.member(names);
    if (said == nullptr) return;
    // Longer than all tokens that are computed: as without one.
    const double most = 1e12;
    const auto window = config_.number(names, 1.0, most);
    if (!window) return;
    if (!has_window()) {
      if (row_ != nullptr && row_->rope_in_windows) set_positions(found_, Positions::none, 1.0F);
      return;
    }
    if (*window <= static_cast<double>(model::Limits::tokens))
      found_.variants.window = static_cast<std::size_t>(*window);
  }

  const Tower& tower_;
  ConfigFields config_;
  FoundAttention& found_;
  const Architecture* row_ = nullptr;
};

}  // namespace

base::Result<ModelConfig> read_model_config(std::string_view json) {
  if (json.size() > max_config_bytes)
    return fail(base::text("files.config.long", {{"most", max_config_bytes >> 20U}}));
  Json whole = Json::parse(without_pythons_words(json));
  if (!whole.is_object()) return fail(base::text("files.config.no_object"));
  return ModelConfig{std::move(whole)};
}

void take_config(const ModelConfig& config, FoundAttentions& found) {
  for (FoundAttention& attention : found.attentions) {
    if (!attention.problem.empty() && !attention.needs_config) continue;
    const Tower tower = tower_of(config.whole, attention.name);
    if (tower.fields != nullptr) Taker(tower, attention).take();
  }
}

}  // namespace files
