#include "document/state/state.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/base64.hpp"
#include "base/decimal.hpp"
#include "base/text.hpp"
#include "document/learning/learn.hpp"
#include "document/learning/training_run.hpp"
#include "document/state/state_reader.hpp"
#include "document/state/text.hpp"

namespace document {

using base::fail;
using base::Json;
using base::Result;
using model::Scale;

namespace {

/// The shortest digits that read back as this float: 0.1, not 0.10000000149011612.
Json number_json(float number) {
  if (!std::isfinite(number)) return number_text(number);
  return *base::read_decimal(number_text(number));
}

Json scale_json(const Scale& scale) {
  if (scale.kind == Scale::Kind::number) return number_json(scale.number);
  return scale_names[static_cast<std::size_t>(scale.kind)];
}

Json edit_json(const Edit& edit) {
  return Json::object()
      .with("attention", lesson::name_of(edit.cell.attention))
      .with("tensor", model::name_of(edit.cell.tensor))
      .with("index", json_of(edit.cell.index))
      .with("value", number_json(edit.value));
}

Json cell_json(const CellRef& cell) {
  return Json::object()
      .with("tensor", model::name_of(cell.tensor))
      .with("index", json_of(cell.index));
}

Json ablated_heads_json(const Configuration& configuration) {
  Json json = Json::object();
  for (const auto& [id, heads] : configuration.ablated_heads) json.add(lesson::name_of(id), heads);
  return json;
}

Json given_weights_json(const Configuration& configuration) {
  Json json = Json::array();
  for (const GivenRow& given : configuration.given_weights) {
    Json weights = Json::array();
    for (const float weight : given.row.weights) weights.push_back(number_json(weight));
    json.push_back(Json::object()
                       .with("attention", lesson::name_of(given.attention))
                       .with("sample", given.row.sample)
                       .with("head", given.row.head)
                       .with("query", given.row.query)
                       .with("weights", std::move(weights)));
  }
  return json;
}

Json learns_json(Learns learns) {
  Json json = Json::array();
  for (std::size_t bit = 0; bit < learns_names.size(); ++bit) {
    if ((learns >> bit & 1U) != 0) json.push_back(learns_names[bit]);
  }
  return json;
}

Json framing_json(const Framing& framing) {
  Json json = Json::array();
  for (const float number : {framing.x, framing.y, framing.zoom})
    json.push_back(number_json(number));
  return json;
}

/// The lengths that were chosen, or the variant's own.
std::pair<std::size_t, std::size_t> lengths_of(const Configuration& configuration) {
  const lesson::Parameters& parameters = configuration.parameters;
  const auto variants = lesson::example(configuration.example).variants;
  lesson::Variant variant;
  if (parameters.variant < variants.size()) variant = variants[parameters.variant];
  const auto length = [](std::size_t chosen, const lesson::LengthRange& range) {
    return chosen != 0 && range.can_change() ? chosen : range.length;
  };
  return {length(parameters.source_len, variant.source_len),
          length(parameters.target_len, variant.target_len)};
}

/// How deep arrays and objects nest.
std::size_t depth_of(std::string_view json) {
  std::size_t depth = 0;
  std::size_t deepest = 0;
  bool in_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (in_text) {
      if (c == '\\') ++i;
      if (c == '"') in_text = false;
    } else if (c == '"') {
      in_text = true;
    } else if (c == '[' || c == '{') {
      deepest = std::max(deepest, ++depth);
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return deepest;
}

}  // namespace

Json state_json(const Document& document, const Computed& computed) {
  const Configuration& configuration = document.configuration;
  const ViewState& view_state = document.view_state;
  const lesson::Example& example = lesson::example(configuration.example);
  const std::size_t variant = configuration.parameters.variant;
  Json masks = Json::object();
  for (const ComputedAttention& attention : computed.attentions)
    masks.add(lesson::name_of(attention.id), lesson::name_of(attention.mask));
  Json edits = Json::array();
  for (const Edit& edit : configuration.edits) edits.push_back(edit_json(edit));
  Json target = Json::array();
  for (const Edit& edit : configuration.target) target.push_back(edit_json(edit));
  const auto [source_len, target_len] = lengths_of(configuration);
  const training::Settings training =
      example.task ? training_settings(configuration) : training::Settings{};

  return Json::object()
      .with("example", example.name)
      .with("variant", variant < example.variants.size() ? example.variants[variant].name : "")
      .with("step", lesson::step(view_state.step).name)
      .with("attention", lesson::name_of(view_state.attention))
      .with("head", view_state.head)
      .with("all_heads", view_state.all_heads)
      .with("mean_heads", view_state.mean_heads)
      .with("query", view_state.query)
      .with("key", view_state.key)
      .with("sample", view_state.sample)
      .with("all_samples", view_state.all_samples)
      .with("shared_scale", view_state.shared_scale)
      .with("weights_to_one", view_state.weights_to_one)
      .with("sort_heads", view_state.sort_heads)
      .with("held_out_heads", view_state.held_out_heads)
      .with("map", map_names[static_cast<std::size_t>(view_state.map)])
      .with("projection", projection_names[static_cast<std::size_t>(view_state.projection)])
      .with("scrub", number_json(view_state.progress))
      .with("cell", view_state.cell ? cell_json(*view_state.cell) : Json())
      .with("framing", view_state.framing ? framing_json(*view_state.framing) : Json())
      .with("show", show_names[static_cast<std::size_t>(view_state.show)])
      .with("more", view_state.more)
      .with("compare", view_state.compare)
      .with("guessing", view_state.guessing)
      .with("gradients", view_state.gradients)
      .with("learning", view_state.learning)
      .with("learning_rate", number_json(view_state.learning_rate))
      .with("learns", learns_json(view_state.learns))
      .with("scale", scale_json(computed.scale))
      .with("mask", lesson::name_of(computed.find(view_state.attention).mask))
      .with("masks", std::move(masks))
      .with("position_encoding", computed.position_encoding)
      .with("seed", configuration.parameters.seed)
      .with("sentence", lesson::sentence_of(configuration.example, configuration.parameters))
      .with("beam", configuration.parameters.beam)
      .with("translation_begin", configuration.parameters.begin)
      .with("picture", base::to_base64(configuration.parameters.picture))
      .with("embed_dim", computed.embed_dim)
      .with("num_heads", computed.num_heads)
      .with("num_kv_heads", computed.attentions.front().trace.config.num_kv_heads)
      .with("kdim", configuration.parameters.kdim)
      .with("qk_norm", configuration.variants.qk_norm)
      .with("rope", number_json(configuration.variants.rope_base))
      .with("alibi", configuration.variants.alibi)
      .with("softcap", number_json(configuration.variants.softcap))
      .with("window", configuration.variants.window)
      .with("sink",
            configuration.variants.sink ? number_json(*configuration.variants.sink) : Json())
      .with("source_len", source_len)
      .with("target_len", target_len)
      .with("theme", theme_names[static_cast<std::size_t>(view_state.theme)])
      .with("edits", std::move(edits))
      .with("mistake", model::name_of(configuration.mistake))
      .with("ablated_heads", ablated_heads_json(configuration))
      .with("given_weights", given_weights_json(configuration))
      .with("target", std::move(target))
      .with("method", method_names[static_cast<std::size_t>(training.method)])
      .with("training_rate", number_json(training.learning_rate))
      .with("batch_size", training.batch_size)
      .with("sequence", configuration.training.sequence)
      .with("trained_steps", configuration.training.steps);
}

Result<Document> with_json(const Document& document, std::string_view json) {
  if (json.size() > max_json_bytes) {
    return fail(
        base::text("document.state.too_long", {{"count", json.size()}, {"most", max_json_bytes}}));
  }
  // Checked before parsing, because a hostile text of brackets would take far more memory parsed. A
  // state needs four levels: itself, its edits, one edit, the index of that.
  constexpr std::size_t deepest = 8;
  if (depth_of(json) > deepest) return fail(base::text("document.state.too_deep"));
  const Json parsed = Json::parse(json);
  if (!parsed.is_valid()) return fail(base::text("document.state.no_json"));
  if (!parsed.is_object()) return fail(base::text("document.state.no_object"));
  Document result = document;
  if (auto read = read_state(parsed, result); !read) return fail(read.error());
  return result;
}

}  // namespace document
