#include "app/api/api_json.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace app {

using base::fail;
using base::Result;

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

Result<double> number_argument(const Json& arguments, const char* name) {
  const Json* found = arguments.find(name);
  if (found == nullptr || !found->is_number())
    return fail(std::string(name) + " must be a number.");
  return found->number();
}

Result<std::string> text_argument(const Json& arguments, const char* name) {
  const Json* found = arguments.find(name);
  if (found == nullptr || found->text() == nullptr)
    return fail(std::string(name) + " must be text.");
  return *found->text();
}

Result<bool> switch_argument(const Json& arguments, const char* name) {
  const Json* found = arguments.find(name);
  if (found == nullptr || found->boolean() == nullptr)
    return fail(std::string(name) + " must be true or false.");
  return *found->boolean();
}

Result<tensor::Index> index_argument(const Json& arguments, const char* name) {
  const std::string wanted = std::string(name) + " must be a list of whole numbers from 0.";
  const Json* found = arguments.find(name);
  if (found == nullptr || !found->is_array()) return fail(wanted);
  if (found->empty() || found->size() > tensor::Extents::max_rank) {
    return fail(std::string(name) + " must have one number for each axis of the tensor.");
  }
  tensor::Index index;
  for (const Json& entry : found->elements()) {
    // No axis is as long: what is larger does not even fit an index on the web.
    if (!entry.is_whole() || entry.number() > std::numeric_limits<std::uint32_t>::max()) {
      return fail(wanted);
    }
    index.push_back(static_cast<std::size_t>(entry.number()));
  }
  return index;
}

Result<const document::ComputedAttention*> attention_argument(const App& app,
                                                              const Json& arguments) {
  if (arguments.find("attention") == nullptr) return &app.session().attention();
  const auto name = text_argument(arguments, "attention");
  if (!name) return fail(name.error());
  std::string allowed;
  for (const document::ComputedAttention& attention : app.session().computed().attentions) {
    if (lesson::name_of(attention.id) == *name) return &attention;
    allowed += (allowed.empty() ? "" : ", ") + std::string(lesson::name_of(attention.id));
  }
  return fail("There is no attention of that name here; there is " + allowed + ".");
}

Result<model::TensorId> tensor_argument(const document::ComputedAttention& attention,
                                        const Json& arguments) {
  const auto name = text_argument(arguments, "tensor");
  if (!name) return fail(name.error());
  const auto tensor = model::tensor_named(*name);
  if (!tensor) return fail("There is no tensor of that name; `tensors` lists them.");
  const bool on_demand = *tensor == "weighted_values";
  if (!on_demand && !attention.trace.has(*tensor))
    return fail("This attention has no such tensor; `tensors` lists them.");
  return *tensor;
}

Result<document::CellAddress> cell_argument(const document::ComputedAttention& attention,
                                            const Json& arguments) {
  const auto name = text_argument(arguments, "tensor");
  if (!name) return fail(name.error());
  const auto tensor = model::tensor_named(*name);
  if (!tensor) return fail("There is no tensor of that name; `tensors` lists them.");
  const auto index = index_argument(arguments);
  if (!index) return fail(index.error());
  return document::CellAddress{attention.id, *tensor, *index};
}

}  // namespace app
