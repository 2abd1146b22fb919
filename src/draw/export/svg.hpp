// A matrix as a picture that any program can scale: SVG 1.1, with nothing but shapes and text.
#pragma once

#include <string>

#include "base/error.hpp"
#include "draw/theme.hpp"
#include "stage/scene/stage.hpp"

namespace draw {

/// More cells than this make a file that few programs open.
inline constexpr std::size_t max_svg_cells = 20'000;

/// `text` inside XML, between tags or in an attribute: marks escaped, and what XML cannot have
/// (control characters, bytes that are not UTF-8) replaced by U+FFFD.
std::string xml_text(std::string_view text);

/// The captions, labels, cells and numbers of a stage (stage::picture_of makes one), in the colours
/// that the screen has. Numbers stand in the cells that are large enough for them; every cell has
/// its number as a tool tip where there are no more than 400. Errors: too many cells.
base::Result<std::string> svg_of(const stage::Stage& stage, const Theme& theme);

}  // namespace draw
