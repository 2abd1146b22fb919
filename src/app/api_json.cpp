#include "app/api_json.hpp"

#include <cmath>

namespace app {

using attention::fail;
using attention::Result;

Json number(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return value;
}

Json list(const attention::Extents& extents) {
  Json json = Json::array();
  for (const std::size_t value : extents) json.push_back(value);
  return json;
}

Json rectangle(const stage::Rect& rect) {
  return Json::array({rect.x, rect.y, rect.width, rect.height});
}

Json colour(draw::Rgb rgb) {
  const auto byte = [](float channel) { return static_cast<int>(std::lround(channel * 255.0F)); };
  return Json::array({byte(rgb.red), byte(rgb.green), byte(rgb.blue)});
}

std::string dumped(const Json& json) {
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Result<double> number_argument(const Json& arguments, const char* name) {
  const auto found = arguments.find(name);
  if (found == arguments.end() || !found->is_number())
    return fail(std::string(name) + " must be a number.");
  return found->get<double>();
}

Result<std::string> text_argument(const Json& arguments, const char* name) {
  const auto found = arguments.find(name);
  if (found == arguments.end() || !found->is_string())
    return fail(std::string(name) + " must be text.");
  return found->get<std::string>();
}

Result<bool> switch_argument(const Json& arguments, const char* name) {
  const auto found = arguments.find(name);
  if (found == arguments.end() || !found->is_boolean())
    return fail(std::string(name) + " must be true or false.");
  return found->get<bool>();
}

Result<attention::Index> index_argument(const Json& arguments, const char* name) {
  const std::string wanted = std::string(name) + " must be a list of whole numbers from 0.";
  const auto found = arguments.find(name);
  if (found == arguments.end() || !found->is_array()) return fail(wanted);
  if (found->empty() || found->size() > attention::Extents::max_rank) {
    return fail(std::string(name) + " must have one number for each axis of the tensor.");
  }
  attention::Index index;
  for (const Json& entry : *found) {
    if (!entry.is_number_unsigned()) return fail(wanted);
    index.push_back(entry.get<std::size_t>());
  }
  return index;
}

Result<const document::ComputedAttention*> attention_argument(const App& app,
                                                              const Json& arguments) {
  if (!arguments.contains("attention")) return &app.session().attention();
  const auto name = text_argument(arguments, "attention");
  if (!name) return fail(name.error().message);
  std::string allowed;
  for (const document::ComputedAttention& attention : app.session().computed().attentions) {
    if (lesson::name_of(attention.id) == *name) return &attention;
    allowed += (allowed.empty() ? "" : ", ") + std::string(lesson::name_of(attention.id));
  }
  return fail("There is no attention of that name here; there is " + allowed + ".");
}

Result<attention::TensorId> tensor_argument(const document::ComputedAttention& attention,
                                            const Json& arguments) {
  const auto name = text_argument(arguments, "tensor");
  if (!name) return fail(name.error().message);
  const auto tensor = attention::tensor_named(*name);
  if (!tensor) return fail("There is no tensor of that name; `tensors` lists them.");
  const bool on_demand = *tensor == attention::TensorId::weighted_values;
  if (!on_demand && !attention.trace.has(*tensor))
    return fail("This attention has no such tensor; `tensors` lists them.");
  return *tensor;
}

Result<document::CellAddress> cell_argument(const document::ComputedAttention& attention,
                                            const Json& arguments) {
  const auto name = text_argument(arguments, "tensor");
  if (!name) return fail(name.error().message);
  const auto tensor = attention::tensor_named(*name);
  if (!tensor) return fail("There is no tensor of that name; `tensors` lists them.");
  const auto index = index_argument(arguments);
  if (!index) return fail(index.error().message);
  return document::CellAddress{attention.id, *tensor, *index};
}

}  // namespace app
