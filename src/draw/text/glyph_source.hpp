// Letters that the program's own fonts lack, and runs of letters that have to be drawn as a whole,
// from somewhere else: the fonts of the browser or of the system.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "imgui.h"

namespace draw {

/// A letter or a run of letters as a picture. Lengths in pixels of the size that was asked for.
struct Glyph {
  int width = 0;
  int height = 0;
  float left = 0.0F;     ///< from the pen to the bitmap's left edge
  float top = 0.0F;      ///< from the baseline up to the bitmap's upper edge
  float advance = 0.0F;  ///< from this glyph's pen to the next one's
  /// Red, green, blue, opacity, 0 … 255 (not multiplied), row after row. White with opacity is text
  /// in the colour that the program chooses.
  std::vector<unsigned char> pixels;
  bool coloured = false;  ///< an emoji: its own colours, whatever colour the text has
};

/// Draws `text` (UTF-8) at `size` pixels an em into `glyph`; false where it cannot.
using GlyphSource = std::function<bool(std::string_view text, float size, Glyph& glyph)>;

/// Lets the font that was added last take from `source` what it has no glyph for. The source must
/// live as long as the fonts.
void add_glyph_source(const GlyphSource& source);

}  // namespace draw
