// Sets of characters, as a regular expression's classes are.
#pragma once

#include <vector>

namespace files::unicode {

inline constexpr char32_t last_character = 0x10FFFF;

/// From the first to the last, both in it.
struct Range {
  char32_t first = 0;
  char32_t last = 0;
};

class CharacterSet {
 public:
  void add(char32_t first, char32_t last) { ranges_.push_back({first, last}); }
  void add(const CharacterSet& other);
  /// All that was not in it.
  void invert();
  /// Leaves what is in the other, too.
  void keep(CharacterSet other);

  /// Puts the ranges in order, each apart from the next: before `has`, once all have been added.
  void tidy();
  bool has(char32_t character) const;

 private:
  std::vector<Range> ranges_;
};

}  // namespace files::unicode
