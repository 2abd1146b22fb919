// Draws into memory instead of onto the screen.
#pragma once

#include <vector>

#include "draw/gl/gl.hpp"

namespace draw {

/// A surface of `width` x `height` device pixels that receives all drawing while the object exists;
/// its destructor restores the previous target. Needs a current GL context.
class OffScreen {
 public:
  OffScreen(int width, int height);
  ~OffScreen();
  OffScreen(const OffScreen&) = delete;
  OffScreen& operator=(const OffScreen&) = delete;

  /// False if the graphics card cannot draw into textures of this size.
  bool complete() const { return complete_; }
  /// The pixels as RGBA with full opacity, one byte per channel, row by row from the top.
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
