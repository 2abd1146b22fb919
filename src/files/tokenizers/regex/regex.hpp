// Regular expressions by which tokenizers split texts.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "files/tokenizers/regex/program.hpp"

namespace files {

/// A part of a text, from one character to another.
struct Part {
  std::size_t begin = 0;
  std::size_t end = 0;
};

class Regex {
 public:
  /// Of valid UTF-8. Errors: as regex::parse and regex::translated.
  static base::Result<Regex> read(std::string_view pattern);

  /// Where it matches, one after another, as Perl and Oniguruma search: the first branch that leads
  /// to the end counts, and an empty match may not follow another at once. Errors: more than
  /// most_steps. (Which branch has failed at which place is remembered, so that the steps grow with
  /// the text, not with the number of ways through it.)
  base::Result<std::vector<Part>> matches(std::u32string_view text) const;

  static constexpr std::size_t most_steps = std::size_t{1} << 24U;

 private:
  std::string pattern_;
  regex::Program program_;
};

}  // namespace files
