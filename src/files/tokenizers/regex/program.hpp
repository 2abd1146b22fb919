// A regular expression as instructions for a backtracking machine: Thompson, 1968; Cox, 2009,
// swtch.com/~rsc/regexp/regexp2.html.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "files/tokenizers/regex/syntax.hpp"

namespace files::regex {

struct Instruction {
  enum class Does : unsigned char {
    take,    ///< a character of the set `first`
    at,      ///< goes on at `place` only
    fork,    ///< goes on at `first`, and if that fails at `second`
    jump,    ///< to `first`
    ahead,   ///< what follows up to `done` matches here (not `negated`); then goes on at `first`
    behind,  ///< the same of what ends here and is `second` to `third` characters long
    atomic,  ///< takes the first match of what follows up to `done`; then goes on at `first`
    done     ///< of the whole, or of what ahead, behind and atomic are about
  };

  Does does = Does::done;
  Place place = Place::line_begin;
  bool negated = false;
  std::uint32_t first = 0;
  std::uint32_t second = 0;
  std::uint32_t third = 0;
  std::uint32_t number = 0;  ///< of those that are not take, at, jump and done
};

struct Program {
  std::vector<Instruction> instructions;
  std::vector<unicode::CharacterSet> sets;
  std::size_t branches = 0;  ///< how many have a `number`
};

inline constexpr std::size_t most_instructions = std::size_t{1} << 13U;

/// `pattern` is for the sentence. Errors: it has more instructions than most_instructions; (?<=…)
/// of what may be of any length.
base::Result<Program> translated(Syntax syntax, std::string_view pattern);

}  // namespace files::regex
