#include "draw/program.hpp"

#include <array>
#include <utility>

namespace draw {

namespace {

attention::Result<GLuint> compile(GLenum kind, std::string_view source) {
  const GLuint shader = glCreateShader(kind);
  const std::array<const char*, 2> parts{shader_version.data(), source.data()};
  const std::array<GLint, 2> lengths{static_cast<GLint>(shader_version.size()),
                                     static_cast<GLint>(source.size())};
  glShaderSource(shader, 2, parts.data(), lengths.data());
  glCompileShader(shader);
  GLint compiled = GL_FALSE;
  glGetShaderiv(shader, GL_COMPILE_STATUS, &compiled);
  if (compiled == GL_TRUE) return shader;
  std::array<char, 1024> log{};
  glGetShaderInfoLog(shader, static_cast<GLsizei>(log.size()), nullptr, log.data());
  glDeleteShader(shader);
  return attention::fail("A shader did not compile: " + std::string(log.data()));
}

}  // namespace

attention::Result<Program> Program::link(std::string_view vertex, std::string_view fragment) {
  const auto vertex_shader = compile(GL_VERTEX_SHADER, vertex);
  if (!vertex_shader) return attention::fail(vertex_shader.error().message);
  const auto fragment_shader = compile(GL_FRAGMENT_SHADER, fragment);
  if (!fragment_shader) {
    glDeleteShader(*vertex_shader);
    return attention::fail(fragment_shader.error().message);
  }
  Program program(glCreateProgram());
  glAttachShader(program.id_, *vertex_shader);
  glAttachShader(program.id_, *fragment_shader);
  glLinkProgram(program.id_);
  glDeleteShader(*vertex_shader);
  glDeleteShader(*fragment_shader);
  GLint linked = GL_FALSE;
  glGetProgramiv(program.id_, GL_LINK_STATUS, &linked);
  if (linked == GL_TRUE) return program;
  std::array<char, 1024> log{};
  glGetProgramInfoLog(program.id_, static_cast<GLsizei>(log.size()), nullptr, log.data());
  return attention::fail("The shaders did not link: " + std::string(log.data()));
}

Program& Program::operator=(Program&& other) noexcept {
  std::swap(id_, other.id_);
  return *this;
}

Program::~Program() {
  if (id_ != 0) glDeleteProgram(id_);
}

}  // namespace draw
