// Text that the platform draws with fonts of its own: the browser's, or those of the system.
#pragma once

#include <string_view>
#include <vector>

namespace platform {

/// A line of text as a picture; lengths in pixels.
struct TextPicture {
  int width = 0;
  int height = 0;
  float left = 0.0F;     ///< from the pen to the left edge
  float top = 0.0F;      ///< from the baseline up to the upper edge
  float advance = 0.0F;  ///< to the pen behind the text
  /// Red, green, blue, opacity, 0 … 255 (not multiplied), row after row; letters are white.
  std::vector<unsigned char> pixels;
  bool coloured = false;  ///< there are other colours than white: an emoji
};

/// Most pixels of a picture.
inline constexpr int most_text_pixels = 1024 * 256;

/// Draws `text` (UTF-8, one line, of any script and in the order of its script) at `size` pixels an
/// em; false where the platform cannot: no font has it, or the picture would have too many pixels.
bool draw_text(std::string_view text, float size, TextPicture& picture);

}  // namespace platform
