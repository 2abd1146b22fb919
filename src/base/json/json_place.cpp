#include "base/json/json_place.hpp"

#include <algorithm>

#include "base/json/json_reader.hpp"

namespace base {

namespace {

/// Walks over a value. `found` becomes where the value at `path` begins, or the last one on it.
void walk(JsonReader& reader, std::span<const std::string> path, bool on_path, std::size_t& found) {
  const bool is_value = reader.at_value();
  if (on_path) found = reader.place();
  if (!is_value) return;
  const bool is_object = reader.take('{');
  if (!is_object && !reader.take('[')) {
    std::string text;
    if (reader.at_text()) {
      reader.read_text(text);
    } else if (reader.read_number().empty()) {
      for (const std::string_view word : {"null", "true", "false"}) {
        if (reader.take_word(word)) break;
      }
    }
    return;
  }
  if (reader.take(is_object ? '}' : ']')) return;
  std::size_t place = 0;
  do {
    std::string name = std::to_string(place++);
    if (is_object) {
      name.clear();
      if (!reader.read_text(name) || !reader.take(':')) return;
    }
    const bool leads_on = on_path && !path.empty() && path.front() == name;
    walk(reader, leads_on ? path.subspan(1) : path, leads_on, found);
  } while (reader.take(','));
  reader.take(is_object ? '}' : ']');
}

}  // namespace

LineAndColumn line_and_column(std::string_view text, std::size_t place) {
  const std::string_view before = text.substr(0, place);
  const std::size_t line_end = before.rfind('\n');
  const std::string_view line =
      line_end == std::string_view::npos ? before : before.substr(line_end + 1);
  const auto begins_character = [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  };
  return {1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')),
          1 + static_cast<std::size_t>(std::count_if(line.begin(), line.end(), begins_character))};
}

std::size_t place_in_json(std::string_view json, std::span<const std::string> path) {
  JsonReader reader(json);
  std::size_t found = 0;
  walk(reader, path, true, found);
  return found;
}

}  // namespace base
