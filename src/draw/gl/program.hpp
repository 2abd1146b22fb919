// A linked pair of shaders.
#pragma once

#include <string_view>

#include "base/error.hpp"
#include "draw/gl/gl.hpp"

namespace draw {

/// Owns one GL program. Needs a current GL context except for `forget`, which is to be called when
/// the context was lost.
class Program {
 public:
  Program() = default;
  /// Starts compiling and linking and returns at once: both run in the background until `ready`
  /// asks for the result.
  static Program start(std::string_view vertex, std::string_view fragment);
  /// Waits for the result. Errors: the message of the shader compiler or linker.
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
