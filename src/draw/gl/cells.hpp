// Draws matrices as coloured cells: one draw call, however many cells there are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "draw/gl/program.hpp"
#include "draw/gl/value_atlas.hpp"
#include "draw/theme.hpp"
#include "stage/scene/stage.hpp"

namespace draw {

/// One matrix as the shader gets it. The layout must match the attributes in shaders/cells.vert.
struct CellsInstance {
  float x, y, width, height;  // logical pixels
  std::int32_t rows, columns, row_stride, column_stride;
  std::int32_t base;  // of the first cell's number in the value texture
  float range, colouring, opacity, gap;
  float red, green, blue;  // only for paper
  std::int32_t shown;      // cells computed so far, row-major; −1: paper
};

/// Owns the program, the texture of values and the instance buffer.
class CellsRenderer {
 public:
  /// Creates the GL objects. Needs a current GL context; to be called again after it was lost.
  void prepare();
  /// Waits until the shaders are ready. Errors: the message of the shader compiler or linker.
  base::Result<void> ready();
  /// Forgets the GL objects, because their context was lost.
  void forget();

  /// Sends those numbers of the matrices that are not on the graphics card yet.
  void hold(const std::vector<tensor::Tensor>& matrices) { atlas_.hold(matrices); }
  /// What the shader needs to draw `matrix` at `place`. The matrix must have been held.
  CellsInstance instance(const tensor::Tensor& matrix, const stage::Rect& place,
                         stage::Colouring colouring, float range, float opacity) const;
  /// The same for a block that appears at `place` on the screen.
  CellsInstance instance(const stage::Block& block, const stage::Rect& place, float opacity) const;
  /// A sheet of one colour, without numbers.
  static CellsInstance paper(const stage::Rect& place, Rgb colour, float opacity);
  /// Draws into the part `clip` of a surface of `width` x `height`; all in logical pixels.
  void draw(std::span<const CellsInstance> instances, const Theme& theme, float width, float height,
            float pixel_ratio, const stage::Rect& clip);

  const ValueAtlas& atlas() const { return atlas_; }

 private:
  /// Locations of the program's uniforms.
  struct Places {
    GLint viewport = -1;
    GLint pixel_ratio = -1;
    GLint neutral = -1;
    GLint negative = -1;
    GLint positive = -1;
    GLint weight = -1;
    GLint hidden = -1;
    GLint invalid = -1;
  };

  Program program_;
  ValueAtlas atlas_;
  GLuint vertex_array_ = 0;
  GLuint instance_buffer_ = 0;
  Places places_;
};

}  // namespace draw
