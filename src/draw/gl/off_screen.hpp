// Drawing into memory instead of onto the screen.
#pragma once

#include <vector>

#include "draw/gl/gl.hpp"

namespace draw {

/// A surface of that many device pixels that drawing goes to while it lives; then it goes again
/// where it went before. Needs a current context.
class OffScreen {
 public:
  OffScreen(int width, int height);
  ~OffScreen();
  OffScreen(const OffScreen&) = delete;
  OffScreen& operator=(const OffScreen&) = delete;

  /// False where the graphics card does not draw into textures of this size.
  bool complete() const { return complete_; }
  /// Red, green, blue, opaque: a byte each, row after row from the top.
  std::vector<unsigned char> read() const;

 private:
  int width_;
  int height_;
  GLuint frame_ = 0;
  GLuint colour_ = 0;
  GLint before_ = 0;
  bool complete_ = false;
};

}  // namespace draw
