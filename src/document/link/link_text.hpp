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
/// The other way; nothing where a percent sign has no two hexadecimal digits behind it or the
/// result is not UTF-8.
std::optional<std::string> decoded(std::string_view text);

struct LinkPart {
  std::string name;
  std::string value;
};

/// The parts of a link, decoded. What is no part becomes a sentence in `problems`.
std::vector<LinkPart> parts_of(std::string_view link, std::vector<std::string>& problems);

/// A value that JSON would write as `value`, encoded.
std::string value_text(const base::Json& value);
/// The JSON texts that a decoded value may stand for, the most particular first, plain text last.
std::vector<std::string> readings(const std::string& value);

/// Edits as a state tells them ([{"attention", "tensor", "index", "value"}, …]) in short.
std::string edits_text(const base::Json& edits);
/// The other way. A single edit that cannot be read is left out and told in `problems`.
std::vector<Edit> edits_of(std::string_view text, lesson::AttentionId attention,
                           std::vector<std::string>& problems);

}  // namespace document
