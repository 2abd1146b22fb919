#include "files/layers/model_config.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/json/json.hpp"
#include "base/text.hpp"

namespace files {
namespace {

using base::fail;
using base::Json;

/// Reads the members one after another; stops at the first that is wrong.
class ConfigReader {
 public:
  explicit ConfigReader(const Json& config) : config_(config) {}

  /// The first of these names that is there and not null.
  void whole(std::initializer_list<std::string_view> names, std::size_t& to) {
    for (const std::string_view name : names) {
      const Json* value = member(name);
      if (value == nullptr || to != 0) continue;
      const double number = value->is_whole() ? value->number() : 0.0;
      if (number < 1.0 || number > static_cast<double>(model::Limits::embed_dim)) {
        problem =
            base::text("files.config.whole", {{"name", name}, {"most", model::Limits::embed_dim}});
        return;
      }
      to = static_cast<std::size_t>(number);
    }
  }

  /// The base of rotary positions; newer configs have it among their rope_parameters.
  void rope(ModelConfig& made) {
    const Json* parameters = member("rope_parameters");
    const Json* base = member("rope_theta");
    if (base == nullptr && parameters != nullptr) base = parameters->find("rope_theta");
    if (base != nullptr) {
      const double number = base->is_number() ? base->number() : 0.0;
      if (!(number >= 1.0 && number <= 1e9)) {
        problem = base::text("files.config.rope");
        return;
      }
      made.rope_base = static_cast<float>(number);
    }
    for (const Json* scaling : {member("rope_scaling"), parameters}) {
      if (scaling == nullptr) continue;
      for (const std::string_view name : {"rope_type", "type"}) {
        const Json* type = scaling->find(name);
        made.scaled_rope |=
            type != nullptr && type->text() != nullptr && *type->text() != "default";
      }
    }
    const Json* part = member("partial_rotary_factor");
    made.partial_rope = part != nullptr && !(*part == Json(1));
  }

  std::string problem;

 private:
  const Json* member(std::string_view name) const {
    const Json* value = config_.find(name);
    return value == nullptr || value->is_null() ? nullptr : value;
  }

  const Json& config_;
};

/// How many heads it says this attention has: 0 where it says nothing; none where it is about
/// another attention, because its widths are others.
std::optional<std::size_t> heads_in(const ModelConfig& config, const FoundAttention& found) {
  const bool in_decoder = found.name.find("decoder") != std::string::npos;
  std::size_t heads = in_decoder ? config.decoder_heads : config.encoder_heads;
  if (heads == 0) heads = config.num_heads;
  if (heads == 0 && config.head_dim != 0) heads = found.inner_dim / config.head_dim;
  if (heads == 0) return 0;
  const std::vector<std::size_t> choices = head_choices(found);
  if (std::find(choices.begin(), choices.end(), heads) == choices.end()) return std::nullopt;
  const bool of_other_width = config.head_dim != 0 && config.head_dim * heads != found.inner_dim;
  const bool shared_otherwise =
      config.num_kv_heads != 0 && kv_heads(found, heads) != config.num_kv_heads;
  if (of_other_width || shared_otherwise) return std::nullopt;
  return heads;
}

}  // namespace

base::Result<ModelConfig> read_model_config(std::string_view json) {
  if (json.size() > max_config_bytes)
    return fail(base::text("files.config.long", {{"most", max_config_bytes >> 20U}}));
  const Json whole = Json::parse(json);
  if (!whole.is_object()) return fail(base::text("files.config.no_object"));
  const Json* text = whole.find("text_config");
  ConfigReader reader(text != nullptr && text->is_object() ? *text : whole);
  ModelConfig config;
  reader.whole({"num_attention_heads", "n_head", "n_heads", "num_heads"}, config.num_heads);
  reader.whole({"encoder_attention_heads"}, config.encoder_heads);
  reader.whole({"decoder_attention_heads"}, config.decoder_heads);
  reader.whole({"num_key_value_heads"}, config.num_kv_heads);
  reader.whole({"head_dim", "d_kv"}, config.head_dim);
  reader.rope(config);
  if (!reader.problem.empty()) return fail(reader.problem);
  return config;
}

void take_config(const ModelConfig& config, FoundAttentions& found) {
  for (FoundAttention& attention : found.attentions) {
    const std::optional<std::size_t> heads = heads_in(config, attention);
    if (!heads || !attention.problem.empty()) continue;
    if (*heads != 0 && !attention.num_heads) attention.num_heads = heads;
    if (attention.variants.rope_base == 0.0F) continue;
    attention.rope_is_scaled = config.scaled_rope;
    if (config.rope_base != 0.0F) {
      attention.variants.rope_base = config.rope_base;
      attention.rope_is_said = true;
    }
    if (config.partial_rope)
      attention.problem = base::text("files.config.partial", {{"name", "partial_rotary_factor"}});
  }
}

}  // namespace files
