#include "draw/gl/program.hpp"

#include <array>
#include <utility>

#include "base/text.hpp"

namespace draw {

namespace {

void attach(GLuint program, GLenum kind, std::string_view source) {
  const GLuint shader = glCreateShader(kind);
  const std::array<const char*, 2> parts{shader_version.data(), source.data()};
  const std::array<GLint, 2> lengths{static_cast<GLint>(shader_version.size()),
                                     static_cast<GLint>(source.size())};
  glShaderSource(shader, 2, parts.data(), lengths.data());
  glCompileShader(shader);
  glAttachShader(program, shader);
  glDeleteShader(shader);  // deletes it together with the program
}

/// The compiler's messages about the shaders of a program that did not link.
std::string complaints(GLuint program) {
  std::array<char, 1024> log{};
  std::array<GLuint, 2> shaders{};
  GLsizei count = 0;
  glGetAttachedShaders(program, static_cast<GLsizei>(shaders.size()), &count, shaders.data());
  std::string words;
  for (GLsizei i = 0; i < count; ++i) {
    glGetShaderInfoLog(shaders[static_cast<std::size_t>(i)], static_cast<GLsizei>(log.size()),
                       nullptr, log.data());
    words += log.data();
  }
  glGetProgramInfoLog(program, static_cast<GLsizei>(log.size()), nullptr, log.data());
  return words + log.data();
}

}  // namespace

Program Program::start(std::string_view vertex, std::string_view fragment) {
  Program program(glCreateProgram());
  attach(program.id_, GL_VERTEX_SHADER, vertex);
  attach(program.id_, GL_FRAGMENT_SHADER, fragment);
  glLinkProgram(program.id_);
  return program;
}

base::Result<void> Program::ready() const {
  GLint linked = GL_FALSE;
  glGetProgramiv(id_, GL_LINK_STATUS, &linked);
  if (linked == GL_TRUE) return {};
  return base::fail(base::text("draw.graphics.shaders", {{"complaints", complaints(id_)}}));
}

Program& Program::operator=(Program&& other) noexcept {
  std::swap(id_, other.id_);
  return *this;
}

Program::~Program() {
  if (id_ != 0) glDeleteProgram(id_);
}

}  // namespace draw
