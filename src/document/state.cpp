#include "document/state.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

#include <nlohmann/json.hpp>

#include "document/base64.hpp"
#include "document/state_reader.hpp"
#include "document/text.hpp"

namespace document {

using attention::fail;
using attention::Result;
using attention::Scale;

namespace {

/// Keeps the order in which fields are written.
using Ordered = nlohmann::ordered_json;

/// Numbers as short as the float allows: 0.1, not 0.10000000149011612.
Ordered number_json(float number) {
  if (!std::isfinite(number)) return number_text(number);
  return std::strtod(number_text(number).c_str(), nullptr);
}

Ordered scale_json(const Scale& scale) {
  if (scale.kind == Scale::Kind::number) return number_json(scale.number);
  return std::string(scale_names[static_cast<std::size_t>(scale.kind)]);
}

Ordered edit_json(const Edit& edit) {
  Ordered index = Ordered::array();
  for (const std::size_t place : edit.cell.index) index.push_back(place);
  Ordered json;
  json["attention"] = std::string(lesson::name_of(edit.cell.attention));
  json["tensor"] = std::string(attention::name_of(edit.cell.tensor));
  json["index"] = std::move(index);
  json["value"] = number_json(edit.value);
  return json;
}

Ordered cell_json(const CellRef& cell) {
  Ordered index = Ordered::array();
  for (const std::size_t place : cell.index) index.push_back(place);
  Ordered json;
  json["tensor"] = std::string(attention::name_of(cell.tensor));
  json["index"] = std::move(index);
  return json;
}

Ordered ablated_heads_json(const Setup& setup) {
  Ordered json = Ordered::object();
  for (const auto& [id, heads] : setup.ablated_heads)
    json[std::string(lesson::name_of(id))] = heads;
  return json;
}

Ordered given_weights_json(const Setup& setup) {
  Ordered json = Ordered::array();
  for (const GivenRow& given : setup.given_weights) {
    Ordered row;
    row["attention"] = std::string(lesson::name_of(given.attention));
    row["sample"] = given.row.sample;
    row["head"] = given.row.head;
    row["query"] = given.row.query;
    row["weights"] = Ordered::array();
    for (const float weight : given.row.weights) row["weights"].push_back(number_json(weight));
    json.push_back(std::move(row));
  }
  return json;
}

Ordered framing_json(const Framing& framing) {
  return Ordered::array(
      {number_json(framing.x), number_json(framing.y), number_json(framing.zoom)});
}

/// As chosen, or as the variant has them.
std::pair<std::size_t, std::size_t> lengths_of(const Setup& setup) {
  const lesson::Parameters& parameters = setup.parameters;
  const auto variants = lesson::example(setup.example).variants;
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

std::string to_json(const Document& document, const Computed& computed) {
  const Setup& setup = document.setup;
  const Look& look = document.look;
  const lesson::Example& example = lesson::example(setup.example);
  const std::size_t variant = setup.parameters.variant;
  Ordered masks = Ordered::object();
  for (const ComputedAttention& attention : computed.attentions) {
    masks[std::string(lesson::name_of(attention.id))] =
        std::string(lesson::name_of(attention.mask));
  }
  Ordered edits = Ordered::array();
  for (const Edit& edit : setup.edits) edits.push_back(edit_json(edit));

  Ordered json;
  json["example"] = std::string(example.name);
  json["variant"] =
      std::string(variant < example.variants.size() ? example.variants[variant].name : "");
  json["step"] = std::string(lesson::step(look.step).name);
  json["attention"] = std::string(lesson::name_of(look.attention));
  json["head"] = look.head;
  json["all_heads"] = look.all_heads;
  json["query"] = look.query;
  json["key"] = look.key;
  json["sample"] = look.sample;
  json["all_samples"] = look.all_samples;
  json["shared_scale"] = look.shared_scale;
  json["projection"] = std::string(projection_names[static_cast<std::size_t>(look.projection)]);
  json["scrub"] = number_json(look.scrub);
  json["cell"] = look.cell ? cell_json(*look.cell) : Ordered(nullptr);
  json["framing"] = look.framing ? framing_json(*look.framing) : Ordered(nullptr);
  json["show"] = std::string(show_names[static_cast<std::size_t>(look.show)]);
  json["compare"] = look.compare;
  json["guessing"] = look.guessing;
  json["scale"] = scale_json(computed.scale);
  json["mask"] = std::string(lesson::name_of(computed.find(look.attention).mask));
  json["masks"] = std::move(masks);
  json["position_encoding"] = computed.position_encoding;
  json["seed"] = setup.parameters.seed;
  json["sentence"] = std::string(lesson::sentence_of(setup.example, setup.parameters));
  json["picture"] = to_base64(setup.parameters.picture);
  json["embed_dim"] = computed.embed_dim;
  json["num_heads"] = computed.num_heads;
  const auto [source_len, target_len] = lengths_of(setup);
  json["source_len"] = source_len;
  json["target_len"] = target_len;
  json["theme"] = std::string(theme_names[static_cast<std::size_t>(look.theme)]);
  json["edits"] = std::move(edits);
  json["mistake"] = std::string(attention::name_of(setup.mistake));
  json["ablated_heads"] = ablated_heads_json(setup);
  json["given_weights"] = given_weights_json(setup);
  // A document that was never computed may hold text that is not UTF-8: replaced, where the strict
  // way would throw.
  return json.dump(-1, ' ', false, Ordered::error_handler_t::replace);
}

Result<Document> with_json(const Document& document, std::string_view json) {
  if (json.size() > max_json_bytes) {
    return fail("The state has " + std::to_string(json.size()) + " bytes; at most " +
                std::to_string(max_json_bytes) + " are allowed.");
  }
  // Before parsing: each level of nesting would cost far more memory than its one character of
  // text. A state needs four levels: itself, its edits, one edit, the index of that.
  constexpr std::size_t deepest = 8;
  if (depth_of(json) > deepest) {
    return fail("The state is nested too deeply for any state there is.");
  }
  const Json parsed = Json::parse(json.begin(), json.end(), nullptr, /*allow_exceptions=*/false);
  // The parser takes a NUL for the end and would not look at what comes after it.
  if (parsed.is_discarded() || json.find('\0') != std::string_view::npos) {
    return fail("The state is not valid JSON.");
  }
  if (!parsed.is_object()) {
    return fail("The state must be a JSON object, like {\"step\": \"softmax\"}.");
  }
  Document result = document;
  if (auto read = read_state(parsed, result); !read) return fail(read.error().message);
  return result;
}

}  // namespace document
