#include "document/state/variants.hpp"

#include <limits>

#include "base/text.hpp"
#include "document/first_error.hpp"
#include "document/state/json_value.hpp"

namespace document {

using base::fail;
using base::Json;
using base::Result;

namespace {

Result<float> real(std::string_view field, const Json& value) {
  const auto read = number(value);
  if (read && value.is_number()) return *read;
  return fail(base::text("document.field.number", {{"field", field}}));
}

}  // namespace

Result<void> read_variants(const Json& json, model::Variants& variants) {
  constexpr std::uint64_t largest_window = std::numeric_limits<std::uint16_t>::max();
  FirstError wrong;
  const auto read = [&](std::string_view field, auto from_json, auto& to) {
    if (const Json* value = json.find(field)) wrong.store(from_json(field, *value), to);
  };
  const auto keys = [](std::string_view field, const Json& value) {
    return whole(field, value, 0, largest_window);
  };
  read("qk_norm", boolean, variants.qk_norm);
  read("rope", real, variants.rope_base);
  read("alibi", boolean, variants.alibi);
  read("softcap", real, variants.softcap);
  read("window", keys, variants.window);
  if (const Json* sink = json.find("sink"); sink != nullptr && sink->is_null())
    variants.sink.reset();
  else
    read(
        "sink", [](std::string_view field, const Json& value) { return real(field, value); },
        variants.sink);
  if (wrong) return fail(*wrong);
  return {};
}

}  // namespace document
