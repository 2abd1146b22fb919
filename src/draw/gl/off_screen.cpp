#include "draw/gl/off_screen.hpp"

#include <algorithm>
#include <cstddef>

namespace draw {

OffScreen::OffScreen(int width, int height) : width_(width), height_(height) {
  glGetIntegerv(GL_FRAMEBUFFER_BINDING, &before_);
  glGenFramebuffers(1, &frame_);
  glGenTextures(1, &colour_);
  glBindTexture(GL_TEXTURE_2D, colour_);
  glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
  glBindFramebuffer(GL_FRAMEBUFFER, frame_);
  glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, colour_, 0);
  complete_ = glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

OffScreen::~OffScreen() {
  glBindFramebuffer(GL_FRAMEBUFFER, static_cast<GLuint>(before_));
  glDeleteFramebuffers(1, &frame_);
  glDeleteTextures(1, &colour_);
}

std::vector<unsigned char> OffScreen::read() const {
  const std::size_t row = static_cast<std::size_t>(width_) * 4;
  const auto rows = static_cast<std::size_t>(height_);
  std::vector<unsigned char> pixels(row * rows);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width_, height_, GL_RGBA, GL_UNSIGNED_BYTE, pixels.data());
  const auto at = [&](std::size_t i) {
    return pixels.begin() + static_cast<std::ptrdiff_t>(i * row);
  };
  // OpenGL counts rows from the bottom, pictures from the top.
  for (std::size_t i = 0; i < rows / 2; ++i) std::swap_ranges(at(i), at(i + 1), at(rows - 1 - i));
  // Smooth edges also blend the alpha channel, but the surface is opaque.
  for (std::size_t i = 3; i < pixels.size(); i += 4) pixels[i] = 255;
  return pixels;
}

}  // namespace draw
