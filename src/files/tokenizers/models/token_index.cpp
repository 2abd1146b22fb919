#include "files/tokenizers/models/token_index.hpp"

#include <algorithm>

namespace files {

TokenIndex::TokenIndex(std::vector<Entry> entries) : entries_(std::move(entries)) {
  std::stable_sort(entries_.begin(), entries_.end(),
                   [](const Entry& a, const Entry& b) { return a.first < b.first; });
  const auto same = [](const Entry& a, const Entry& b) { return a.first == b.first; };
  entries_.erase(std::unique(entries_.begin(), entries_.end(), same), entries_.end());
}

bool TokenIndex::follow(Place& place, std::string_view bytes) const {
  for (const char each : bytes) {
    const auto wanted = static_cast<unsigned char>(each);
    const std::size_t depth = place.depth++;
    const auto byte_of = [depth](const Entry& entry) {
      return static_cast<unsigned char>(entry.first[depth]);
    };
    // The one that ends here stands before those that go on.
    if (place.begin < place.end && entries_[place.begin].first.size() == depth) ++place.begin;
    const auto all = entries_.begin();
    const auto end = all + static_cast<std::ptrdiff_t>(place.end);
    const auto begin =
        std::partition_point(all + static_cast<std::ptrdiff_t>(place.begin), end,
                             [&](const Entry& entry) { return byte_of(entry) < wanted; });
    const auto after = std::partition_point(
        begin, end, [&](const Entry& entry) { return byte_of(entry) == wanted; });
    place.begin = static_cast<std::size_t>(begin - all);
    place.end = static_cast<std::size_t>(after - all);
    if (begin == after) return false;
  }
  return true;
}

std::optional<std::uint32_t> TokenIndex::at(const Place& place) const {
  if (place.begin == place.end) return std::nullopt;
  const Entry& first = entries_[place.begin];
  return first.first.size() == place.depth ? std::optional(first.second) : std::nullopt;
}

std::optional<std::uint32_t> TokenIndex::find(std::string_view text) const {
  Place place = start();
  return follow(place, text) ? at(place) : std::nullopt;
}

std::optional<TokenIndex::Found> TokenIndex::longest(std::string_view text, Place from) const {
  std::optional<Found> found;
  for (std::size_t size = 1; size <= text.size(); ++size) {
    if (!follow(from, text.substr(size - 1, 1))) break;
    if (const auto number = at(from)) found = Found{size, *number};
  }
  return found;
}

TokenIndex index_of(const Vocabulary& vocabulary) {
  std::vector<TokenIndex::Entry> entries;
  entries.reserve(vocabulary.size());
  for (const auto& [token, id] : vocabulary) entries.emplace_back(token, id);
  return TokenIndex(std::move(entries));
}

}  // namespace files
