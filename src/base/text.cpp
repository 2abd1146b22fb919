#include "base/text.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/json/json_reader.hpp"
#include "embedded_texts.hpp"

namespace base {
namespace {

/// The place of a key among the English texts; nothing if it is unknown.
std::optional<std::size_t> place_of(std::string_view key) {
  const std::span<const EmbeddedText> english = embedded_texts();
  const auto found =
      std::lower_bound(english.begin(), english.end(), key,
                       [](const EmbeddedText& each, std::string_view k) { return each.key < k; });
  if (found == english.end() || found->key != key) return std::nullopt;
  return static_cast<std::size_t>(found - english.begin());
}

/// What is said in the reader's language, each in the place of the English text; empty: as there.
std::vector<std::string>& translated() {
  static std::vector<std::string> texts(embedded_texts().size());
  return texts;
}

/// Reads a JSON object of keys and texts; false if `json` is no such object.
bool read(std::string_view json, std::vector<std::string>& texts) {
  JsonReader reader(json);
  if (!reader.take('{')) return false;
  if (reader.take('}')) return reader.at_end();
  do {
    std::string key;
    std::string text;
    if (!reader.read_text(key) || !reader.take(':') || !reader.read_text(text)) return false;
    if (const auto place = place_of(key)) texts[*place] = std::move(text);
  } while (reader.take(','));
  return reader.take('}') && reader.at_end();
}

/// `count`: what stands for {count}; empty: it is a placeholder like the others.
std::string filled(std::string_view pattern, std::span<const Placeholder> values,
                   const std::string& count = {}) {
  std::string text;
  while (!pattern.empty()) {
    const std::size_t open = std::min(pattern.find('{'), pattern.size());
    text += pattern.substr(0, open);
    pattern.remove_prefix(open);
    const std::size_t close = pattern.find('}');
    if (close == std::string_view::npos) return text.append(pattern);
    const std::string_view name = pattern.substr(1, close - 1);
    const auto value = std::find_if(values.begin(), values.end(),
                                    [&](const Placeholder& each) { return each.name == name; });
    if (name == "count" && !count.empty())
      text += count;
    else
      text += value != values.end() ? std::string_view(value->value) : pattern.substr(0, close + 1);
    pattern.remove_prefix(close + 1);
  }
  return text;
}

}  // namespace

Placeholder::Placeholder(std::string_view placeholder, std::string_view said)
    : name(placeholder), value(said) {}
Placeholder::Placeholder(std::string_view placeholder, const char* said)
    : name(placeholder), value(said) {}
Placeholder::Placeholder(std::string_view placeholder, const std::string& said)
    : name(placeholder), value(said) {}
Placeholder::Placeholder(std::string_view placeholder, long long number, Number)
    : name(placeholder), value(std::to_string(number)) {}
Placeholder::Placeholder(std::string_view placeholder, unsigned long long number, Number)
    : name(placeholder), value(std::to_string(number)) {}
Placeholder::~Placeholder() = default;

Result<void> use_language(std::string_view json) {
  std::vector<std::string> texts(embedded_texts().size());
  if (!read(json, texts)) return fail(text("base.language.damaged"));
  translated() = std::move(texts);
  return {};
}

std::string_view text(std::string_view key) { return text_if_any(key).value_or(key); }

std::optional<std::string_view> text_if_any(std::string_view key) {
  const auto place = place_of(key);
  if (!place) return std::nullopt;
  const std::string& other = translated()[*place];
  return other.empty() ? embedded_texts()[*place].text : std::string_view(other);
}

std::string text(std::string_view key, std::initializer_list<Placeholder> values) {
  return filled(text(key), {values.begin(), values.size()});
}

std::string counted_text(std::string_view key, std::size_t count,
                         std::initializer_list<Placeholder> values) {
  const std::string_view pattern = text(std::string(key) + (count == 1 ? ".one" : ".other"));
  return filled(pattern, {values.begin(), values.size()}, std::to_string(count));
}

}  // namespace base
