// Glyphs from the browser's or the system's fonts: for letters that the program's own fonts lack,
// and for runs of letters that have to be drawn as a whole.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "imgui.h"

namespace draw {

/// The picture of a letter or of a run of letters. Lengths are in pixels of the requested size.
struct Glyph {
  int width = 0;
  int height = 0;
  float left = 0.0F;     ///< from the pen to the bitmap's left edge
  float top = 0.0F;      ///< from the baseline to the bitmap's upper edge
  float advance = 0.0F;  ///< from this pen position to the next
  /// RGBA, one byte each, alpha not premultiplied, row by row. Letters are white, so that the
  /// program can choose their colour.
  std::vector<unsigned char> pixels;
  bool coloured = false;  ///< an emoji, which keeps its own colours
};

/// Draws `text` (UTF-8) at `size` pixels per em into `glyph`; returns false if it cannot.
using GlyphSource = std::function<bool(std::string_view text, float size, Glyph& glyph)>;

/// Lets the font that was added last get missing glyphs from `source`, which must live as long as
/// the fonts.
void add_glyph_source(const GlyphSource& source);

}  // namespace draw
