#include "app/api/api_json.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

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

Json or_null(const std::optional<std::size_t>& value) { return value ? Json(*value) : Json(); }

double Arguments::number(const char* name) {
  const Json* found = find(name);
  if (found != nullptr && found->is_number()) return found->number();
  refuse(std::string(name) + " must be a number.");
  return 0.0;
}

std::string Arguments::text(const char* name) {
  const Json* found = find(name);
  if (found != nullptr && found->text() != nullptr) return *found->text();
  refuse(std::string(name) + " must be text.");
  return {};
}

bool Arguments::flag(const char* name) {
  const Json* found = find(name);
  if (found != nullptr && found->boolean() != nullptr) return *found->boolean();
  refuse(std::string(name) + " must be true or false.");
  return false;
}

std::size_t Arguments::whole(const char* name, std::size_t smallest, std::size_t largest,
                             const std::string& what) {
  const Json* found = find(name);
  const double number = found != nullptr && found->is_whole() ? found->number() : -1.0;
  if (number >= static_cast<double>(smallest) && number <= static_cast<double>(largest))
    return static_cast<std::size_t>(number);
  refuse(std::string(name) + " must be " + what + ".");
  return smallest;
}

std::optional<std::size_t> Arguments::whole_or_null(const char* name, std::size_t largest,
                                                    const std::string& what) {
  const Json* found = find(name);
  if (found == nullptr || found->is_null()) return std::nullopt;
  return whole(name, 0, largest, what);
}

tensor::Index Arguments::index(const char* name) {
  const std::string wanted = std::string(name) + " must be a list of whole numbers from 0.";
  tensor::Index index;
  const Json* found = find(name);
  if (found == nullptr || !found->is_array()) {
    refuse(wanted);
  } else if (found->empty() || found->size() > tensor::Extents::max_rank) {
    refuse(std::string(name) + " must have one number for each axis of the tensor.");
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
  std::string allowed;
  for (const document::ComputedAttention& attention : app.session().computed().attentions) {
    if (lesson::name_of(attention.id) == name) return attention;
    allowed += (allowed.empty() ? "" : ", ") + std::string(lesson::name_of(attention.id));
  }
  refuse("There is no attention of that name here; there is " + allowed + ".");
  return app.session().attention();
}

std::optional<model::TensorId> Arguments::named_tensor() {
  const auto named = model::tensor_named(text("tensor"));
  if (!named) refuse("There is no tensor of that name; `tensors` lists them.");
  return named;
}

model::TensorId Arguments::tensor(const document::ComputedAttention& attention) {
  const auto named = named_tensor();
  if (named && attention.trace.offers(*named)) return *named;
  refuse("This attention has no such tensor; `tensors` lists them.");
  return {};
}

document::CellAddress Arguments::cell(const document::ComputedAttention& attention) {
  const auto named = named_tensor();
  return {attention.id, named.value_or(model::TensorId()), index()};
}

}  // namespace app
