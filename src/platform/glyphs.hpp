// Letters that the platform can draw by itself: on the web those of the browser's fonts, natively
// none.
#pragma once

#include <vector>

namespace platform {

/// One letter as coverage, 0 … 255, row after row; lengths in pixels.
struct LetterBitmap {
  int width = 0;
  int height = 0;
  float left = 0.0F;     ///< from the pen to the left edge
  float top = 0.0F;      ///< from the baseline up to the upper edge
  float advance = 0.0F;  ///< to the next letter's pen
  std::vector<unsigned char> coverage;
};

/// Draws `letter` at `size` pixels an em; false where the platform cannot.
bool draw_letter(char32_t letter, float size, LetterBitmap& bitmap);

}  // namespace platform
