// Where in a JSON text something stands, for sentences about files that people write.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace base {

/// Both count from 1, as editors do; a column is a character of UTF-8.
struct LineAndColumn {
  std::size_t line = 1;
  std::size_t column = 1;
};

LineAndColumn line_and_column(std::string_view text, std::size_t place);

/// Where the value at `path` begins, a number of bytes: {"steps", "0", "text"} are names of members
/// and places in arrays. Of a member that is there twice, the last one, as Json::find. Where the
/// path leads nowhere, the last value on it that is there. `json` must be valid JSON.
std::size_t place_in_json(std::string_view json, std::span<const std::string> path);

}  // namespace base
