// A regular expression while it is read: a place in it, and what was found wrong.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "files/tokenizers/regex/syntax.hpp"

namespace files::regex {

struct Reader {
  std::u32string text;
  std::size_t place = 0;
  std::string problem;

  bool at_end() const { return place == text.size(); }
  bool next_is(std::u32string_view wanted) const {
    return std::u32string_view(text).substr(place).starts_with(wanted);
  }
  bool take(std::u32string_view wanted) {
    if (!next_is(wanted)) return false;
    place += wanted.size();
    return true;
  }

  // What is wrong; each is false.
  bool unknown(std::size_t begin, std::size_t end);
  bool incomplete(std::string_view missing);
  /// `what`, the last part of a key of texts, is above what is read.
  bool above(std::string_view what, std::size_t most);
};

/// The set, or the one character, that a backslash and what stands behind it mean: from behind the
/// backslash on. `single` is that character.
bool read_escaped(Reader& from, unicode::CharacterSet& to, std::optional<char32_t>& single);

/// What stands behind "[", up to and with "]": characters, ranges, classes in it, and && between
/// them.
bool read_class(Reader& from, unicode::CharacterSet& to, bool& negated, int depth);

}  // namespace files::regex
