#include "files/layers/shards.hpp"

#include <algorithm>

#include "base/json/json.hpp"
#include "base/order.hpp"
#include "base/text.hpp"
#include "files/quote.hpp"

namespace files {

using base::fail;
using base::Json;

namespace {

constexpr std::string_view ending = ".safetensors";

/// Whether it is a name in the folder of the index, and no path that leads out of it.
bool is_plain_name(std::string_view name) {
  return name.size() > ending.size() && name.size() <= 255 && name.ends_with(ending) &&
         name.find_first_of("/\\:") == std::string_view::npos && name.front() != '.' &&
         name.find('\0') == std::string_view::npos;
}

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

bool is_shard_index(std::string_view name) {
  const std::size_t at = name.rfind(".safetensors.index.");
  return at != std::string_view::npos && name.ends_with(".json") &&
         name.find('/', at) == std::string_view::npos;
}

std::string index_of_shard(std::string_view name) {
  if (!name.ends_with(ending)) return {};
  name.remove_suffix(ending.size());
  const std::size_t of = name.rfind("-of-");
  if (of == std::string_view::npos || !is_digits(name.substr(of + 4))) return {};
  name = name.substr(0, of);
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos || !is_digits(name.substr(dash + 1))) return {};
  return std::string(name.substr(0, dash)) + ".safetensors.index.json";
}

base::Result<ShardIndex> read_shard_index(std::string_view json) {
  if (json.size() > max_index_bytes)
    return fail(base::text("files.shards.long", {{"most", max_index_bytes >> 20U}}));
  const Json whole = Json::parse(json);
  const Json* map = whole.is_object() ? whole.find("weight_map") : nullptr;
  if (map == nullptr || !map->is_object() || map->empty())
    return fail(base::text("files.shards.no_map"));
  ShardIndex index;
  std::vector<std::string>& files = index.files;
  for (const Json& file : map->elements()) {
    const std::string* text = file.text();
    if (text == nullptr) return fail(base::text("files.shards.no_map"));
    if (!is_plain_name(*text))
      return fail(base::text("files.shards.name", {{"name", in_quotes(*text)}}));
    auto place = std::lower_bound(files.begin(), files.end(), *text);
    if (place == files.end() || *place != *text) files.insert(place, *text);
    if (files.size() > max_shards)
      return fail(base::text("files.shards.many", {{"most", max_shards}}));
  }
  for (std::size_t i = 0; i < map->size(); ++i) {
    const auto place = std::lower_bound(files.begin(), files.end(), *map->elements()[i].text());
    index.tensors.emplace_back(map->names()[i], static_cast<std::size_t>(place - files.begin()));
  }
  base::sort(index.tensors);
  return index;
}

void join_shard(Layout shard, std::uint64_t at, Header& all, const ShardIndex* index,
                std::size_t number) {
  for (HeaderEntry& entry : shard.header.entries) {
    if (index != nullptr) {
      const auto said = std::pair(entry.name, number);
      if (!std::binary_search(index->tensors.begin(), index->tensors.end(), said)) continue;
    }
    entry.begin += shard.data_begin + at;
    entry.end += shard.data_begin + at;
    all.entries.push_back(std::move(entry));
  }
  if (all.metadata.empty()) all.metadata = std::move(shard.header.metadata);
}

base::Result<void> check_joined(const Header& all) {
  std::vector<std::string_view> names;
  names.reserve(all.entries.size());
  for (const HeaderEntry& entry : all.entries) names.emplace_back(entry.name);
  base::sort(names);
  const auto twice = std::adjacent_find(names.begin(), names.end());
  if (twice == names.end()) return {};
  return fail(base::text("files.shards.twice", {{"name", in_quotes(*twice)}}));
}

}  // namespace files
