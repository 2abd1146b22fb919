#include "files/tokenizers/described.hpp"

#include "base/text.hpp"
#include "files/quote.hpp"

namespace files {
namespace {

using base::Json;

constexpr std::size_t most_parts = 32;

}  // namespace

bool flag(const Json& described, std::string_view name, bool usual) {
  const Json* value = described.find(name);
  return value == nullptr || value->boolean() == nullptr ? usual : *value->boolean();
}

std::string text_of(const Json& described, std::string_view name) {
  const Json* value = described.find(name);
  return value == nullptr || value->text() == nullptr ? std::string() : *value->text();
}

base::Result<void> for_each_part(
    const Json& described, std::string_view part, std::string_view list,
    const std::function<base::Result<void>(std::string_view, const Json&)>& take) {
  if (described.is_null()) return {};
  const std::string type = text_of(described, "type");
  if (type.empty()) return not_as_it_should_be(part);
  if (type != "Sequence") return take(type, described);
  const Json* all = described.find(list);
  if (all == nullptr || !all->is_array()) return not_as_it_should_be(list);
  if (all->size() > most_parts) return too_many(list, most_parts);
  for (const Json& each : all->elements()) {
    const std::string own = text_of(each, "type");
    if (own.empty()) return not_as_it_should_be(list);
    if (auto taken = take(own, each); !taken) return taken;
  }
  return {};
}

tl::unexpected<base::Error> unknown_part(std::string_view part, std::string_view name) {
  return base::fail(
      base::text("files.tokenizer.unknown", {{"part", part}, {"name", in_quotes(name, 120)}}));
}

tl::unexpected<base::Error> not_as_it_should_be(std::string_view name) {
  return base::fail(base::text("files.tokenizer.wrong", {{"name", in_quotes(name)}}));
}

tl::unexpected<base::Error> too_long(std::string_view name, std::size_t most_bytes) {
  return base::fail(
      base::text("files.tokenizer.too_long", {{"name", in_quotes(name)}, {"most", most_bytes}}));
}

tl::unexpected<base::Error> too_many(std::string_view name, std::size_t most_entries) {
  return base::fail(
      base::text("files.tokenizer.too_many", {{"name", in_quotes(name)}, {"most", most_entries}}));
}

}  // namespace files
