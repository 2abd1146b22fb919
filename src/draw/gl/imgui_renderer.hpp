// Draws what Dear ImGui made: its lists of triangles, and the texture with its letters.
#pragma once

#include "base/error.hpp"
#include "draw/gl/frame_bytes.hpp"
#include "draw/gl/program.hpp"

struct ImDrawData;

namespace draw {

/// Owns the program, the buffers and the textures of ImGui's current context. In the place of
/// ImGui's own renderer, which asks OpenGL for its whole state in every frame: in a browser the
/// program then waits until the graphics card has caught up.
class ImGuiRenderer {
 public:
  /// Tells ImGui's current context what will draw for it.
  ImGuiRenderer();
  /// Makes the GL objects. Needs a current context; again after a lost one.
  void prepare();
  /// Waits for the shaders. Errors: the compiler's or linker's own words.
  base::Result<void> ready();
  /// The context was lost: forget the objects.
  void forget();

  /// Adds what `draw` would draw, but for the textures.
  static void note(const ImDrawData& data, FrameBytes& all);
  /// True where `draw` has to bring a texture up to date.
  static bool changes_textures(const ImDrawData& data);
  /// Draws onto what is bound. Leaves blending, scissor and bound objects as they come.
  void draw(const ImDrawData& data);

 private:
  void begin(const ImDrawData& data) const;

  Program program_;
  GLint viewport_ = -1;  // uniform
  GLuint vertex_array_ = 0;
  GLuint vertices_ = 0;
  GLuint indices_ = 0;
  unsigned int first_vertex_ = 0;  // that the vertex array points to
};

}  // namespace draw
