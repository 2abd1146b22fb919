// The logical size of a framebuffer, such that converting back gives exactly its device pixels.
#pragma once

#include <cmath>
#include <limits>

#include "platform/platform.hpp"

namespace platform {

/// The smallest logical length that, multiplied by the ratio and truncated, is `pixels`: ImGui
/// computes its viewport that way, and one pixel less would blur all text.
inline float logical_length(int pixels, float pixel_ratio) {
  float length = static_cast<float>(pixels) / pixel_ratio;
  while (static_cast<int>(length * pixel_ratio) < pixels) {
    length = std::nextafter(length, std::numeric_limits<float>::infinity());
  }
  return length;
}

/// The surface of a framebuffer of that many device pixels. `pixel_ratio` > 0; sizes may be 0 (a
/// minimised window).
inline Surface surface_of(int framebuffer_width, int framebuffer_height, float pixel_ratio) {
  return {logical_length(framebuffer_width, pixel_ratio),
          logical_length(framebuffer_height, pixel_ratio), pixel_ratio, framebuffer_width,
          framebuffer_height};
}

}  // namespace platform
