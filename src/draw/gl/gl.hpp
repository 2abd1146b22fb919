// The GL functions: WebGL2 on the web, OpenGL 3.3 core on the desktop. The one place that asks
// which.
#pragma once

#ifdef ATTENTION_LIVE_WEB
#include <GLES3/gl3.h>
#else
#include <epoxy/gl.h>
#endif

#include <string_view>

namespace draw {

/// The first lines of every shader.
inline constexpr std::string_view shader_version =
#ifdef ATTENTION_LIVE_WEB
    "#version 300 es\nprecision highp float;\nprecision highp int;\n";
#else
    "#version 330 core\n";
#endif

}  // namespace draw
