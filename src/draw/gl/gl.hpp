// The GL functions: WebGL2 on the web, OpenGL 3.3 core on the desktop. Only this file knows which.
#pragma once

#ifdef ATTENTION_LIVE_WEB
#include <GLES3/gl3.h>
#else
#include <epoxy/gl.h>
#endif

#include <string_view>

namespace draw {

/// What every shader begins with.
inline constexpr std::string_view shader_version =
#ifdef ATTENTION_LIVE_WEB
    "#version 300 es\nprecision highp float;\nprecision highp int;\n";
#else
    "#version 330 core\n";
#endif

/// A new, bound texture whose edges clamp; `filter`: GL_NEAREST or GL_LINEAR.
inline GLuint new_texture(GLint filter) {
  GLuint name = 0;
  glGenTextures(1, &name);
  glBindTexture(GL_TEXTURE_2D, name);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
  glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
  return name;
}

}  // namespace draw
