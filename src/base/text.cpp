#include "base/text.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "embedded_texts.hpp"

namespace base {
namespace {

/// The texts of one language, by key.
using Catalogue = std::map<std::string, std::string, std::less<>>;

void add(Catalogue& catalogue, const Json& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (const std::string* text = texts.elements()[i].text()) catalogue[texts.names()[i]] = *text;
  }
}

const Catalogue& english() {
  static const Catalogue texts = [] {
    Catalogue read;
    for (const std::string_view file : embedded_texts()) add(read, Json::parse(file));
    return read;
  }();
  return texts;
}

/// The reader's language; empty: English.
Catalogue& translated() {
  static Catalogue texts;
  return texts;
}

std::string filled(std::string_view pattern, std::span<const Placeholder> values) {
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
    text += value != values.end() ? std::string_view(value->value) : pattern.substr(0, close + 1);
    pattern.remove_prefix(close + 1);
  }
  return text;
}

}  // namespace

Result<void> use_language(std::string_view json) {
  const Json texts = Json::parse(json);
  if (!texts.is_object()) return fail(text("base.language.damaged"));
  Catalogue& catalogue = translated();
  catalogue.clear();
  add(catalogue, texts);
  return {};
}

std::string_view text(std::string_view key) {
  for (const Catalogue* catalogue : {&std::as_const(translated()), &english()}) {
    const auto found = catalogue->find(key);
    if (found != catalogue->end()) return found->second;
  }
  return key;
}

std::string text(std::string_view key, std::initializer_list<Placeholder> values) {
  return filled(text(key), {values.begin(), values.size()});
}

std::string counted_text(std::string_view key, std::size_t count,
                         std::initializer_list<Placeholder> values) {
  std::vector<Placeholder> all(values);
  all.emplace_back("count", count);
  return filled(text(std::string(key) + (count == 1 ? ".one" : ".other")), all);
}

}  // namespace base
