// What a regular expression says, as a tree. The rules are those of Oniguruma, by which Hugging
// Face's library splits texts: github.com/kkos/oniguruma/blob/master/doc/RE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "files/tokenizers/characters/character_set.hpp"

namespace files::regex {

/// Where something is, without a character of its own.
enum class Place : unsigned char {
  line_begin,
  line_end,
  text_begin,
  text_end,
  last_line_end,  ///< the end, or a line break that ends the text
  word_border,
  inside_or_outside  ///< no word_border
};

struct Node {
  enum class Kind : unsigned char { sequence, choice, character, place, repeat, look, atomic };
  static constexpr std::uint32_t endless = std::numeric_limits<std::uint32_t>::max();

  Kind kind = Kind::sequence;
  std::vector<Node> parts;  ///< of a sequence and a choice; one of repeat, look and atomic
  std::size_t set = 0;      ///< of a character: which of the sets
  Place place = Place::line_begin;
  std::uint32_t least = 0;  ///< times, of a repeat
  std::uint32_t most = 0;
  bool lazy = false;     ///< as few times as possible first
  bool behind = false;   ///< of a look: (?<=…) and (?<!…)
  bool negated = false;  ///< of a look
};

struct Syntax {
  Node whole;
  std::vector<unicode::CharacterSet> sets;
};

/// The longest expression that is read, in bytes; how often something may be said to be repeated;
/// and how deep groups and classes may lie in each other.
inline constexpr std::size_t longest_regex = std::size_t{1} << 13U;
inline constexpr std::uint32_t most_times = 1000;
inline constexpr int deepest = 32;
/// How many characters of it a sentence shows.
inline constexpr std::size_t shown_of_regex = 40;

/// Of valid UTF-8. Errors: what in it is not known here, or not complete, or above a limit.
base::Result<Syntax> parse(std::string_view pattern);

/// The set that \p{NAME} and [:NAME:] stand for: a general category, a script, or another property
/// that is known here; false where none has this name.
bool add_property(std::string_view name, unicode::CharacterSet& to);

}  // namespace files::regex
