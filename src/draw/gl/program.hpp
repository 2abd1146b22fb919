// A linked pair of shaders.
#pragma once

#include <string_view>

#include "base/error.hpp"
#include "draw/gl/gl.hpp"

namespace draw {

/// Owns one GL program. Needs a current context when made and used; `forget` when the context was
/// lost.
class Program {
 public:
  Program() = default;
  /// Has the shaders compiled and linked and waits for neither: that goes on beside the program
  /// until somebody asks how it went.
  static Program start(std::string_view vertex, std::string_view fragment);
  /// Waits until it can be used. Errors: the compiler's or linker's own words.
  base::Result<void> ready() const;
  Program(Program&& other) noexcept : id_(other.id_) { other.id_ = 0; }
  Program& operator=(Program&& other) noexcept;
  ~Program();

  GLuint id() const { return id_; }
  GLint uniform(const char* name) const { return glGetUniformLocation(id_, name); }
  void forget() { id_ = 0; }

 private:
  explicit Program(GLuint id) : id_(id) {}
  GLuint id_ = 0;
};

}  // namespace draw
