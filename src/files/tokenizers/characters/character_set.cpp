#include "files/tokenizers/characters/character_set.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

namespace files::unicode {

void CharacterSet::add(const CharacterSet& other) {
  ranges_.insert(ranges_.end(), other.ranges_.begin(), other.ranges_.end());
}

void CharacterSet::invert() {
  tidy();
  std::vector<Range> between;
  char32_t next = 0;
  for (const Range& range : ranges_) {
    if (range.first > next) between.push_back({next, range.first - 1});
    next = range.last + 1;
  }
  if (next <= last_character) between.push_back({next, last_character});
  ranges_ = std::move(between);
}

void CharacterSet::keep(CharacterSet other) {
  other.invert();
  invert();
  add(other);
  invert();
}

void CharacterSet::tidy() {
  std::sort(ranges_.begin(), ranges_.end(),
            [](const Range& a, const Range& b) { return a.first < b.first; });
  std::size_t count = 0;
  for (const Range& range : ranges_) {
    if (count > 0 && range.first <= ranges_[count - 1].last + 1)
      ranges_[count - 1].last = std::max(ranges_[count - 1].last, range.last);
    else
      ranges_[count++] = range;
  }
  ranges_.resize(count);
}

bool CharacterSet::has(char32_t character) const {
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), character,
                       [](char32_t wanted, const Range& range) { return wanted < range.first; });
  return after != ranges_.begin() && character <= std::prev(after)->last;
}

}  // namespace files::unicode
