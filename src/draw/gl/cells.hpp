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

/// One matrix as the graphics card gets it. The layout is that of the attributes in
/// shaders/cells.vert.
struct CellsInstance {
  float x, y, width, height;  // logical pixels
  std::int32_t rows, columns, row_stride, column_stride;
  std::int32_t base;  // address in the value texture
  float range, colouring, opacity, gap;
  float red, green, blue;  // of paper
  std::int32_t shown;      // cells computed so far, row after row; −1: paper
};

/// Owns the program, the values' texture and the instance buffer.
class CellsRenderer {
 public:
  /// Makes the GL objects. Needs a current context; again after a lost one.
  void prepare();
  /// Waits until it can draw. Errors: the shader compiler's or linker's own words.
  base::Result<void> ready();
  /// The context was lost: forget the objects.
  void forget();

  /// Sends what has changed of these matrices' numbers.
  void hold(const std::vector<tensor::Tensor>& matrices) { atlas_.hold(matrices); }
  /// How the graphics card will read `matrix` when it is drawn in `place`.
  CellsInstance instance(const tensor::Tensor& matrix, const stage::Rect& place,
                         stage::Colouring colouring, float range, float opacity) const;
  /// The same for a block that is seen at `place`.
  CellsInstance instance(const stage::Block& block, const stage::Rect& place, float opacity) const;
  /// Paper of one colour, without numbers.
  static CellsInstance paper(const stage::Rect& place, Rgb colour, float opacity);
  /// Draws into the part `clip` of a surface of this size (logical pixels).
  void draw(std::span<const CellsInstance> instances, const Theme& theme, float width, float height,
            float pixel_ratio, const stage::Rect& clip);

  const ValueAtlas& atlas() const { return atlas_; }

 private:
  /// Where the program's uniforms are.
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
