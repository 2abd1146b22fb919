// Makes names and paths from outside safe to print.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace files {

/// `text` in double quotes, fit for one line of a terminal or a page: control characters, quotes,
/// backslashes, characters that reorder a line, and bytes that are not UTF-8 are written as
/// escapes; after `max_characters` comes "…".
std::string in_quotes(std::string_view text, std::size_t max_characters = 60);

}  // namespace files
