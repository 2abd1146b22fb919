// Colours: two themes, and each colour has one job. A hue says which head, on bars, brackets and
// labels; a signed value has the diverging pair, which is no head's; a weight has one ramp of ink;
// red is for mistakes alone.
#pragma once

#include <array>
#include <cstddef>

#include "stage/scene/stage.hpp"

namespace draw {

/// sRGB, 0 … 1.
struct Rgb {
  float red = 0.0F;
  float green = 0.0F;
  float blue = 0.0F;
};

/// Towards `b` by t in 0 … 1, in sRGB as the shader mixes.
Rgb mixed(Rgb a, Rgb b, float t);
/// WCAG relative luminance, 0 … 1.
float luminance(Rgb colour);
/// WCAG contrast ratio, 1 … 21.
float contrast(Rgb a, Rgb b);

struct Theme {
  bool dark = false;
  Rgb page;     ///< behind the stage
  Rgb surface;  ///< bars, panels, fields
  Rgb border;
  Rgb text;
  Rgb quiet;      ///< secondary text: at least 4.5:1 on page and surface
  Rgb line;       ///< links between matrices, ticks
  Rgb accent;     ///< the one: what is chosen or under the pointer
  Rgb on_accent;  ///< text on the accent
  Rgb wrong;      ///< mistakes: messages about bad input, numbers that a mistake spoiled
  Rgb neutral;    ///< value 0
  Rgb negative;   ///< value −range
  Rgb positive;   ///< value +range
  Rgb weight;     ///< the largest weight of the scale
  Rgb hidden;     ///< stripes where a mask hides
  Rgb invalid;    ///< NaN
  std::array<Rgb, 8> heads;

  Rgb head(std::size_t number) const { return heads[number % heads.size()]; }
};

const Theme& light_theme();
const Theme& dark_theme();

/// The colour of a cell: what shaders/cells.frag computes, for text on the cell and for tests.
Rgb cell_colour(const Theme& theme, stage::Colouring colouring, float range, float value);
/// How many decimals the numbers of a block have where a cell has room for `room` characters: as
/// many in each as the largest leaves, sign and point counted; none where all are whole numbers.
int decimals_in(const stage::Block& block, int room);
/// The type size of numbers in cells of this size, logical pixels: a number of four characters fits
/// into 24.
float number_size(float width, float height);
/// Black or white, whichever reads better on `background`.
Rgb text_on(Rgb background);

}  // namespace draw
