#include "draw/gl/cells.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "draw_shaders.hpp"

namespace draw {

namespace {

const void* at(std::size_t offset) { return reinterpret_cast<const void*>(offset); }

void float_attribute(GLuint location, GLint count, std::size_t offset) {
  glEnableVertexAttribArray(location);
  glVertexAttribPointer(location, count, GL_FLOAT, GL_FALSE, sizeof(CellsInstance), at(offset));
  glVertexAttribDivisor(location, 1);
}

void int_attribute(GLuint location, GLint count, std::size_t offset) {
  glEnableVertexAttribArray(location);
  glVertexAttribIPointer(location, count, GL_INT, sizeof(CellsInstance), at(offset));
  glVertexAttribDivisor(location, 1);
}

void set_colour(GLint location, Rgb colour) {
  glUniform3f(location, colour.red, colour.green, colour.blue);
}

}  // namespace

void CellsRenderer::prepare() {
  program_ = Program::start(shaders::cells_vert(), shaders::cells_frag());
  glGenVertexArrays(1, &vertex_array_);
  glGenBuffers(1, &instance_buffer_);
  glBindVertexArray(vertex_array_);
  glBindBuffer(GL_ARRAY_BUFFER, instance_buffer_);
  float_attribute(0, 4, offsetof(CellsInstance, x));
  int_attribute(1, 4, offsetof(CellsInstance, rows));
  int_attribute(2, 1, offsetof(CellsInstance, base));
  float_attribute(3, 4, offsetof(CellsInstance, range));
  float_attribute(4, 3, offsetof(CellsInstance, red));
  int_attribute(5, 1, offsetof(CellsInstance, shown));
  glBindVertexArray(0);
}

void CellsRenderer::forget() {
  program_.forget();
  atlas_.forget();
  vertex_array_ = 0;
  instance_buffer_ = 0;
}

CellsInstance CellsRenderer::instance(const tensor::Tensor& matrix, const stage::Rect& place,
                                      stage::Colouring colouring, float range,
                                      float opacity) const {
  const auto integer = [](std::size_t value) { return static_cast<std::int32_t>(value); };
  const float cell_width = place.width / static_cast<float>(matrix.dim(1));
  const float cell_height = place.height / static_cast<float>(matrix.dim(0));
  const float smallest = cell_width < cell_height ? cell_width : cell_height;
  // Small cells have narrower gaps or none, which would otherwise take most of their area.
  const float gap = smallest >= 14.0F ? 2.0F : smallest >= 6.0F ? 1.0F : 0.0F;
  return {place.x,
          place.y,
          place.width,
          place.height,
          integer(matrix.dim(0)),
          integer(matrix.dim(1)),
          integer(matrix.strides()[0]),
          integer(matrix.strides()[1]),
          atlas_.base_of(matrix) + integer(matrix.offset()),
          range,
          colouring == stage::Colouring::weights ? 1.0F : 0.0F,
          opacity,
          gap,
          0.0F,
          0.0F,
          0.0F,
          std::numeric_limits<std::int32_t>::max()};
}

CellsInstance CellsRenderer::instance(const stage::Block& block, const stage::Rect& place,
                                      float opacity) const {
  CellsInstance made = instance(block.matrix, place, block.colouring, block.range,
                                opacity * block.opacity * block.cells_there);
  made.shown = static_cast<std::int32_t>(
      std::min<std::size_t>(block.shown, std::numeric_limits<std::int32_t>::max()));
  return made;
}

CellsInstance CellsRenderer::paper(const stage::Rect& place, Rgb colour, float opacity) {
  CellsInstance made = {};
  made.x = place.x;
  made.y = place.y;
  made.width = place.width;
  made.height = place.height;
  made.rows = made.columns = 1;
  made.opacity = opacity;
  made.red = colour.red;
  made.green = colour.green;
  made.blue = colour.blue;
  made.shown = -1;
  return made;
}

base::Result<void> CellsRenderer::ready() {
  auto linked = program_.ready();
  if (!linked) return linked;
  places_ = {program_.uniform("u_viewport"), program_.uniform("u_pixel_ratio"),
             program_.uniform("u_neutral"),  program_.uniform("u_negative"),
             program_.uniform("u_positive"), program_.uniform("u_weight"),
             program_.uniform("u_hidden"),   program_.uniform("u_invalid")};
  return linked;
}

void CellsRenderer::draw(std::span<const CellsInstance> instances, const Theme& theme, float width,
                         float height, float pixel_ratio, const stage::Rect& clip) {
  if (instances.empty() || clip.empty()) return;
  glEnable(GL_SCISSOR_TEST);
  glScissor(static_cast<GLint>(clip.x * pixel_ratio),
            static_cast<GLint>((height - clip.bottom()) * pixel_ratio),
            static_cast<GLsizei>(clip.width * pixel_ratio),
            static_cast<GLsizei>(clip.height * pixel_ratio));
  glEnable(GL_BLEND);
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  glUseProgram(program_.id());
  glUniform2f(places_.viewport, width, height);
  glUniform1f(places_.pixel_ratio, pixel_ratio);
  set_colour(places_.neutral, theme.neutral);
  set_colour(places_.negative, theme.negative);
  set_colour(places_.positive, theme.positive);
  set_colour(places_.weight, theme.weight);
  set_colour(places_.hidden, theme.hidden);
  set_colour(places_.invalid, theme.invalid);
  glActiveTexture(GL_TEXTURE0);
  glBindTexture(GL_TEXTURE_2D, atlas_.texture());
  glBindVertexArray(vertex_array_);
  glBindBuffer(GL_ARRAY_BUFFER, instance_buffer_);
  glBufferData(GL_ARRAY_BUFFER, static_cast<GLsizeiptr>(instances.size_bytes()), instances.data(),
               GL_STREAM_DRAW);
  glDrawArraysInstanced(GL_TRIANGLE_STRIP, 0, 4, static_cast<GLsizei>(instances.size()));
  glBindVertexArray(0);
  glDisable(GL_SCISSOR_TEST);
}

}  // namespace draw
