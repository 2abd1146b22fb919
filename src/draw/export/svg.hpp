// The stage as a scalable picture: SVG 1.1 that needs no more than shapes and text.
#pragma once

#include <string>

#include "base/error.hpp"
#include "draw/stage/paint.hpp"

namespace draw {

/// With more cells than this, few programs would open the file.
inline constexpr std::size_t max_svg_cells = 20'000;

/// `text` for use in XML, between tags or in an attribute: special characters are escaped, and what
/// XML does not allow (control characters, invalid UTF-8) becomes U+FFFD.
std::string xml_text(std::string_view text);

/// A picture of all that the scene's viewport shows, in the colours of the screen. With at most 400
/// cells, each also has its number as a tooltip. Errors: too many cells.
base::Result<std::string> svg_of(const Scene& scene, const Theme& theme, const Type& type);

}  // namespace draw
