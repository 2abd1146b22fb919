#include "files/layers/config/config_fields.hpp"

#include <array>

#include "files/quote.hpp"

namespace files {
namespace {

using base::Json;

/// What in names tells a part of a model, and how configs call its members.
struct TowerWord {
  std::string_view begins;
  std::string_view configs;
  bool reads_text;
};
constexpr std::array tower_words = {
    TowerWord{"text", "text_config,text_encoder", true},
    TowerWord{"language_model", "text_config,llm_config,language_config", true},
    TowerWord{"llm", "text_config,llm_config,language_config", true},
    TowerWord{"vision", "vision_config", false},
    TowerWord{"visual", "vision_config", false},
    TowerWord{"image_encoder", "vision_config", false},
    TowerWord{"audio", "audio_config,audio_encoder", false},
    TowerWord{"speech", "speech_config,audio_config", false},
    TowerWord{"qformer", "qformer_config", false},
    TowerWord{"thinker", "thinker_config", true},
    TowerWord{"talker", "talker_config", true},
    TowerWord{"encoder", "encoder,encoder_config", true},
    TowerWord{"decoder", "decoder,decoder_config", true},
};

/// Members that change scores in ways that are not computed here.
constexpr std::array<std::string_view, 21> not_computed = {
    "clip_qkv",
    "qkv_clip",
    "attention_chunk_size",
    "attn_temperature_tuning",
    "qk_layernorm",
    "qk_ln",
    "key_multiplier",
    "attention_in_multiplier",
    "attn_output_multiplier",
    "attention_window",
    "relative_attention",
    "use_logn_attn",
    "logn_attn",
    "use_dynamic_ntk",
    "softmax_scale",
    "mup_attn_multiplier",
    "attn_logit_cap",
    "logits_soft_cap",
    "prefix_lm",
    "rotary_value",
    "rotary_emb_scale_base",
};

/// null, false, 0, "" and [] change nothing, nor does a factor of 1.
bool is_neutral(std::string_view name, const Json& value) {
  if (value.is_null() || (value.boolean() != nullptr && !*value.boolean())) return true;
  if (value.is_number())
    return value.number() == 0.0 || (value.number() == 1.0 && name.ends_with("multiplier"));
  return (value.text() != nullptr && value.text()->empty()) ||
         ((value.is_array() || value.is_object()) && value.empty());
}

const Json* object_in(const Json& fields, std::string_view names) {
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    const Json* found = fields.find(name);
    if (found != nullptr && found->is_object()) return found;
    names.remove_prefix(std::min(name.size() + 1, names.size()));
  }
  return nullptr;
}

std::string type_of(const Json& fields) {
  const Json* type = fields.find("model_type");
  return type == nullptr || type->text() == nullptr ? std::string() : *type->text();
}

}  // namespace

Tower tower_of(const Json& whole, std::string_view attention) {
  Tower tower{&whole, type_of(whole), false};
  bool reads_other = false;
  const auto go_into = [&](const Json& part) {
    tower.fields = &part;
    if (std::string type = type_of(part); !type.empty()) tower.model_type = std::move(type);
  };
  bool went = false;
  while (!attention.empty()) {
    const std::string_view word = attention.substr(0, attention.find('.'));
    attention.remove_prefix(std::min(word.size() + 1, attention.size()));
    for (const TowerWord& row : tower_words) {
      if (!word.starts_with(row.begins)) continue;
      if (row.begins == "text") tower.reads_text = true;
      const Json* part = object_in(*tower.fields, row.configs);
      tower.senses |= !row.reads_text;
      if (part == nullptr) {
        reads_other |= !row.reads_text;
        continue;
      }
      went = true;
      go_into(*part);
      break;
    }
  }
  if (!went && !reads_other) {
    if (const Json* part = object_in(whole, "text_config,llm_config,language_config"))
      go_into(*part);
  }
  tower.reads_text |= tower.model_type.find("text") != std::string::npos;
  // A config of a model of text says nothing about the pictures or sounds that it also reads.
  const Architecture* known = architecture_of(tower.model_type);
  const bool is_of_text = known != nullptr && known->sight == Sight::back;
  if (!went && reads_other && is_of_text) tower.fields = nullptr;
  return tower;
}

const Json* ConfigFields::member(std::string_view names) const {
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    const Json* value = fields_->find(name);
    if (value != nullptr && !value->is_null()) return value;
    names.remove_prefix(std::min(name.size() + 1, names.size()));
  }
  return nullptr;
}

std::size_t ConfigFields::whole(std::string_view names) const {
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    const Json* value = member(name);
    if (value == nullptr) continue;
    const double number = value->is_whole() ? value->number() : 0.0;
    if (number >= 1.0 && number <= static_cast<double>(model::Limits::embed_dim))
      return static_cast<std::size_t>(number);
    sayings_->push_back(
        {"files.config.whole", std::string(name), std::to_string(model::Limits::embed_dim)});
  }
  return 0;
}

std::optional<double> ConfigFields::number(std::string_view names, double least,
                                           double most) const {
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(','));
    names.remove_prefix(std::min(name.size() + 1, names.size()));
    const Json* value = member(name);
    if (value == nullptr) continue;
    if (value->is_number() && value->number() >= least && value->number() <= most)
      return value->number();
    say("files.config.number", name, *value);
  }
  return std::nullopt;
}

bool ConfigFields::is_true(std::string_view name) const {
  const Json* value = member(name);
  return value != nullptr && value->boolean() != nullptr && *value->boolean();
}

bool ConfigFields::is_false(std::string_view name) const {
  const Json* value = member(name);
  return value != nullptr && value->boolean() != nullptr && !*value->boolean();
}

std::string ConfigFields::text(std::string_view name) const {
  const Json* value = member(name);
  return value == nullptr || value->text() == nullptr ? std::string() : *value->text();
}

ConfigFields ConfigFields::inside(std::string_view name) const {
  static const Json nothing = Json::object();
  const Json* value = member(name);
  return {value != nullptr && value->is_object() ? *value : nothing, *sayings_};
}

void ConfigFields::say(std::string_view key, std::string_view name, const Json& value) const {
  constexpr std::size_t whole_value = 40;
  std::string written = value.dump();
  if (written.size() > whole_value) written = in_quotes(written, whole_value);
  sayings_->push_back({key, std::string(name), std::move(written)});
}

void ConfigFields::say_what_is_not_computed() const {
  for (const std::string_view name : not_computed) {
    const Json* value = fields_->find(name);
    if (value != nullptr && !is_neutral(name, *value))
      say("files.config.not_computed", name, *value);
  }
}

}  // namespace files
