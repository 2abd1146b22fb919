#include "app/api/api_json.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

#include "base/text.hpp"
#include "document/state/state_reader.hpp"
#include "stage/wording/breadcrumb.hpp"

namespace app {

Json number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

Json rectangle(const stage::Rect& rect) {
  return std::vector{rect.x, rect.y, rect.width, rect.height};
}

Json colour(draw::Rgb rgb) {
  const auto byte = [](float channel) { return static_cast<int>(std::lround(channel * 255.0F)); };
  return std::vector{byte(rgb.red), byte(rgb.green), byte(rgb.blue)};
}

Json path_json(const App& app) {
  Json path = Json::array();
  for (const stage::Crumb& crumb :
       stage::breadcrumb(app.session().computed(), app.session().document().view_state)) {
    const document::ViewState& there = crumb.there;
    Json to = Json::object()
                  .with("step", lesson::step(there.step).name)
                  .with("attention", lesson::name_of(there.attention))
                  .with("all_heads", there.all_heads)
                  .with("show", document::show_names[static_cast<std::size_t>(there.show)]);
    if (!there.cell) to.add("cell", nullptr);
    path.push_back(Json::object()
                       .with("label", crumb.words)
                       .with("here", crumb.here)
                       .with("to", std::move(to)));
  }
  return path;
}

Json or_null(const std::optional<std::size_t>& value) { return value ? Json(*value) : Json(); }

double Arguments::number(const char* name) {
  const Json* found = find(name);
  if (found != nullptr && found->is_number()) return found->number();
  refuse(base::text("app.api.number", {{"field", name}}));
  return 0.0;
}

std::string Arguments::text(const char* name) {
  const Json* found = find(name);
  if (found != nullptr && found->text() != nullptr) return *found->text();
  refuse(base::text("document.field.text", {{"field", name}}));
  return {};
}

bool Arguments::flag(const char* name) {
  const Json* found = find(name);
  if (found != nullptr && found->boolean() != nullptr) return *found->boolean();
  refuse(base::text("document.field.flag", {{"field", name}}));
  return false;
}

std::size_t Arguments::whole(const char* name, std::size_t smallest, std::size_t largest,
                             const char* key) {
  const Json* found = find(name);
  const double number = found != nullptr && found->is_whole() ? found->number() : -1.0;
  if (number >= static_cast<double>(smallest) && number <= static_cast<double>(largest))
    return static_cast<std::size_t>(number);
  refuse(base::text(key, {{"field", name}, {"smallest", smallest}, {"largest", largest}}));
  return smallest;
}

std::optional<std::size_t> Arguments::whole_or_null(const char* name, std::size_t largest,
                                                    const char* key) {
  const Json* found = find(name);
  if (found == nullptr || found->is_null()) return std::nullopt;
  return whole(name, 0, largest, key);
}

tensor::Index Arguments::index(const char* name) {
  const std::string wanted = base::text("app.api.index", {{"field", name}});
  tensor::Index index;
  const Json* found = find(name);
  if (found == nullptr || !found->is_array()) {
    refuse(wanted);
  } else if (found->empty() || found->size() > tensor::Extents::max_rank) {
    refuse(base::text("app.api.index_length", {{"field", name}}));
  } else {
    for (const Json& entry : found->elements()) {
      // Indices have 32 bits on the web, and no axis is longer.
      const bool fits =
          entry.is_whole() && entry.number() <= std::numeric_limits<std::uint32_t>::max();
      if (!fits) refuse(wanted);
      index.push_back(fits ? static_cast<std::size_t>(entry.number()) : 0);
    }
  }
  return index;
}

const document::ComputedAttention& Arguments::attention(const App& app) {
  if (find("attention") == nullptr) return app.session().attention();
  const std::string name = text("attention");
  std::string there;
  for (const document::ComputedAttention& attention : app.session().computed().attentions) {
    const std::string_view each = lesson::name_of(attention.id);
    if (each == name) return attention;
    there = there.empty() ? std::string(each)
                          : base::text("document.list.more", {{"list", there}, {"next", each}});
  }
  refuse(base::text("app.api.no_attention", {{"there", there}}));
  return app.session().attention();
}

std::optional<model::TensorId> Arguments::named_tensor() {
  const auto named = model::tensor_named(text("tensor"));
  if (!named) refuse(base::text("app.api.no_tensor"));
  return named;
}

model::TensorId Arguments::tensor(const document::ComputedAttention& attention) {
  const auto named = named_tensor();
  if (named && attention.trace.offers(*named)) return *named;
  refuse(base::text("app.api.tensor_not_here"));
  return {};
}

document::CellAddress Arguments::cell(const document::ComputedAttention& attention) {
  const auto named = named_tensor();
  return {attention.id, named.value_or(model::TensorId()), index()};
}

}  // namespace app
