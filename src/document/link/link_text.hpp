// The letters of a link: parts, percent signs, and the short notation of cells and edits. See
// docs/links.md for the grammar.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "document/state/json_value.hpp"

namespace document {

/// Text as a part's name or value.
std::string encoded(std::string_view text);
/// The inverse; nothing if a percent sign is not followed by two hexadecimal digits or the result
/// is not UTF-8.
std::optional<std::string> decoded(std::string_view text);

struct LinkPart {
  std::string name;
  std::string value;
};

/// The parts of a link, decoded. Text that is no part is reported in `problems`.
std::vector<LinkPart> parts_of(std::string_view link, std::vector<std::string>& problems);

/// A value that JSON would write as `value`, encoded.
std::string value_text(const base::Json& value);
/// The JSON texts that a decoded value may mean, the most specific first, plain text last.
std::vector<std::string> readings(const std::string& value);

/// The short notation of edits as a state has them: [{"attention", "tensor", "index", "value"}, …].
std::string edits_text(const base::Json& edits);
/// The inverse, of the part "edits" or "target". What cannot be read is left out and reported in
/// `problems`.
std::vector<Edit> edits_of(const LinkPart& part, lesson::AttentionId attention,
                           std::vector<std::string>& problems);

}  // namespace document
