// Letters that the program's own fonts lack, from somewhere else: the browser's fonts.
#pragma once

#include <functional>
#include <vector>

#include "imgui.h"

namespace draw {

/// One letter as coverage, 0 … 255, row after row. Lengths in pixels of the size that was asked
/// for.
struct Glyph {
  int width = 0;
  int height = 0;
  float left = 0.0F;     ///< from the pen to the bitmap's left edge
  float top = 0.0F;      ///< from the baseline up to the bitmap's upper edge
  float advance = 0.0F;  ///< from this letter's pen to the next one's
  std::vector<unsigned char> coverage;
};

/// Draws `letter` at `size` pixels an em into `glyph`; false where it cannot.
using GlyphSource = std::function<bool(char32_t letter, float size, Glyph& glyph)>;

/// Lets the font that was added last take from `source` what it has no glyph for. The source must
/// live as long as the fonts.
void add_glyph_source(const GlyphSource& source);

}  // namespace draw
