#include "document/link/link.hpp"

#include "base/text.hpp"
#include "document/commands.hpp"
#include "document/link/link_text.hpp"
#include "document/link/riddle.hpp"
#include "document/places/arriving.hpp"
#include "document/state/state.hpp"

namespace document {

using base::fail;
using base::Json;
using base::Result;

namespace {

/// What a state tells as it was computed says nothing about whether it was chosen; the
/// configuration does.
bool is_chosen(const Configuration& configuration, std::string_view field) {
  if (field == "scale") return configuration.scale.has_value();
  if (field == "position_encoding") return configuration.position_encoding.has_value();
  if (field == "embed_dim") return configuration.parameters.embed_dim != 0;
  if (field == "num_heads") return configuration.parameters.num_heads != 0;
  if (field == "num_kv_heads") return configuration.parameters.num_kv_heads != 0;
  // Always told, so that a link says where it leads.
  return field == "example" || field == "step" ||
         (field == "variant" && configuration.parameters.variant != 0);
}

}  // namespace

Result<std::string> to_link(const Document& document, const Computed& computed) {
  const Configuration& configuration = document.configuration;
  const Json fields = state_json(document, computed);
  Document first{fresh(configuration.example, configuration.parameters.variant),
                 first_view_state({}, configuration.example)};
  if (!document.view_state.cell) {
    const ViewState place =
        first_place_in(document.view_state.step, configuration.example, computed);
    first.view_state.attention = place.attention;
    first.view_state.sample = place.sample;
    first.view_state.query = place.query;
    first.view_state.key = first_key(document.view_state, computed);
  }
  const Json unchanged = state_json(first, computed);
  std::string link = "#v=1";
  const auto add = [&link](std::string_view name, std::string_view value) {
    link += '&';
    link += name;
    link += '=';
    link += value;
  };
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string& name = fields.names()[i];
    const Json& value = fields.elements()[i];
    if (name == "mask") continue;  // masks tell it
    if (name == "masks") {
      for (const auto& [id, kind] : configuration.masks)
        add("masks." + std::string(lesson::name_of(id)), lesson::name_of(kind));
    } else if (name == "mistake" && document.view_state.guessing &&
               configuration.mistake != model::Mistake::none) {
      add(name, riddle_of(configuration.mistake));
    } else if (name == "edits" || name == "target") {
      if (!value.empty()) add(name, edits_text(value));
    } else if (is_chosen(configuration, name) || value != unchanged.elements()[i]) {
      if (value.is_object() && name != "cell") {
        for (std::size_t part = 0; part < value.size(); ++part)
          add(name + "." + value.names()[part], value_text(value.elements()[part]));
      } else {
        add(name, value_text(value));
      }
    }
  }
  if (link.size() <= max_link_bytes) return link;
  return fail(base::text("document.link.would_be_too_long",
                         {{"count", link.size()}, {"most", max_link_bytes}}));
}

}  // namespace document
