// A matrix as a scalable picture: SVG 1.1 that needs no more than shapes and text.
#pragma once

#include <string>

#include "base/error.hpp"
#include "draw/theme.hpp"
#include "stage/scene/stage.hpp"

namespace draw {

/// With more cells than this, few programs would open the file.
inline constexpr std::size_t max_svg_cells = 20'000;

/// `text` for use in XML, between tags or in an attribute: special characters are escaped, and what
/// XML does not allow (control characters, invalid UTF-8) becomes U+FFFD.
std::string xml_text(std::string_view text);

/// The captions, labels, cells and numbers of a stage such as stage::picture_of makes, in the
/// colours of the screen. Cells that are large enough show their numbers. With at most 400 cells,
/// each also has its number as a tooltip. Errors: too many cells.
base::Result<std::string> svg_of(const stage::Stage& stage, const Theme& theme);

}  // namespace draw
