// Draws Dear ImGui's output: its lists of triangles and the texture with its glyphs.
#pragma once

#include "base/error.hpp"
#include "draw/gl/frame_bytes.hpp"
#include "draw/gl/program.hpp"

struct ImDrawData;

namespace draw {

/// Owns the program, buffers and textures of ImGui's current context. It replaces ImGui's own
/// renderer, which queries OpenGL's whole state in every frame: in a browser, each query waits
/// until the graphics card has caught up.
class ImGuiRenderer {
 public:
  /// Registers this renderer with ImGui's current context.
  ImGuiRenderer();
  /// Creates the GL objects. Needs a current GL context; to be called again after it was lost.
  void prepare();
  /// Waits until the shaders are ready. Errors: the message of the shader compiler or linker.
  base::Result<void> ready();
  /// Forgets the GL objects, because their context was lost.
  void forget();

  /// Adds everything that `draw` depends on, except for the contents of textures.
  static void note(const ImDrawData& data, FrameBytes& all);
  /// Whether `draw` would have to update a texture.
  static bool changes_textures(const ImDrawData& data);
  /// Draws onto the bound framebuffer. Does not restore blending, scissor or bound objects.
  void draw(const ImDrawData& data);

 private:
  void begin(const ImDrawData& data) const;

  Program program_;
  GLint viewport_ = -1;  // uniform location
  GLuint vertex_array_ = 0;
  GLuint vertices_ = 0;
  GLuint indices_ = 0;
  unsigned int first_vertex_ = 0;  // at which the vertex array begins
};

}  // namespace draw
