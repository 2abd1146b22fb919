// Two colour themes in which each colour has one purpose: hues mean heads (bars, brackets, labels),
// the diverging pair means signed values and belongs to no head, one ramp of ink means weights, and
// red means mistakes only.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "stage/scene/stage.hpp"

namespace draw {

/// sRGB components, 0 … 1.
struct Rgb {
  float red = 0.0F;
  float green = 0.0F;
  float blue = 0.0F;
};

/// From `a` (t = 0) to `b` (t = 1), in sRGB, as the shader mixes.
Rgb mixed(Rgb a, Rgb b, float t);
/// WCAG relative luminance, 0 … 1.
float luminance(Rgb colour);
/// WCAG contrast ratio, 1 … 21.
float contrast(Rgb a, Rgb b);

struct Theme {
  bool dark = false;
  Rgb page;     ///< behind the stage
  Rgb surface;  ///< of bars, panels and fields
  Rgb border;
  Rgb text;
  Rgb quiet;      ///< secondary text; at least 4.5:1 on page and surface
  Rgb line;       ///< links between matrices, ticks
  Rgb accent;     ///< chosen or under the pointer; the only accent
  Rgb on_accent;  ///< text on the accent
  Rgb wrong;      ///< messages about bad input, and numbers that a mistake spoiled
  Rgb neutral;    ///< value 0
  Rgb negative;   ///< value −range
  Rgb positive;   ///< value +range
  Rgb weight;     ///< the largest weight of the scale
  Rgb hidden;     ///< stripes on masked cells
  Rgb invalid;    ///< NaN
  std::array<Rgb, 8> heads;

  Rgb head(std::size_t number) const { return heads[number % heads.size()]; }
};

const Theme& light_theme();
const Theme& dark_theme();
/// The same with other hues for three heads that are named after the colours that they look for:
/// *red* gets none that is blue, *green* a green and *blue* a blue one.
Theme with_named_heads(Theme theme);

/// Colours of the site around a figure; what is missing is as in the theme.
struct SiteColours {
  std::optional<Rgb> paper;
  std::optional<Rgb> ink;
  std::optional<Rgb> accent;
};
/// "#1b2c3d"; nothing if it is anything else.
std::optional<Rgb> colour_from(std::string_view text);
/// Why these colours cannot be used, as a sentence; empty if they can. Paper must be nearly white
/// or nearly black, because heads and signs have hues of their own that must be seen on it; ink
/// must have a contrast of 4.5:1 on it, and the accent one of 3:1.
std::string_view refusal_of(const SiteColours& colours);
/// The theme in a site's colours: page, panels, lines and text follow paper and ink; what has a
/// meaning of its own keeps its colour. If they are of the other kind, dark or light, or cannot be
/// used, it stays as it is.
Theme with_colours(const Theme& theme, const SiteColours& colours);

/// The colour that shaders/cells.frag gives a cell; for the text on it and for tests.
Rgb cell_colour(const Theme& theme, stage::Colouring colouring, float range, float value);
/// The number of decimals for all numbers of a block whose cells have room for `room` characters:
/// as many as fit beside the largest number, its sign and the point. 0 if all are whole numbers.
int decimals_in(const stage::Block& block, int room);
/// A number of the block in at most `room` glyphs. A weight of exactly 0, as that of a hidden key,
/// is "0", and so is a gradient; a weight that only rounds to 0 is "0.000". Other numbers whose
/// colour can be seen have a digit that is not 0, or are empty where there is no room for one.
std::string cell_text(const stage::Block& block, float value, int room);
/// The type size for numbers in cells of this size, in logical pixels. In a cell 24 pixels wide,
/// four characters fit.
float number_size(float width, float height);
/// Black or white, whichever is more readable on `background`.
Rgb text_on(Rgb background);

}  // namespace draw
