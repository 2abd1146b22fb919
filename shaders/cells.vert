// One quad per matrix; the fragment shader finds its cells. Attributes are per instance.

layout(location = 0) in vec4 a_rect;     // x, y, width, height in logical pixels
layout(location = 1) in ivec4 a_grid;    // rows, columns, row stride, column stride (in floats)
layout(location = 2) in int a_base;      // address of cell (0, 0) in the value texture
layout(location = 3) in vec4 a_look;     // range, colouring (0 diverging, 1 weights), opacity, cell gap
layout(location = 4) in vec3 a_paper;    // colour of paper under a matrix
layout(location = 5) in int a_shown;     // cells computed so far, row after row; −1: paper

uniform vec2 u_viewport;                 // logical pixels

out vec2 v_cell;                         // column, row; whole numbers are cell borders
flat out ivec4 v_grid;
flat out int v_base;
flat out vec4 v_look;
flat out vec3 v_paper;
flat out int v_shown;
flat out vec2 v_cell_size;               // logical pixels

void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
  vec2 position = a_rect.xy + corner * a_rect.zw;
  vec2 cells = vec2(float(a_grid.y), float(a_grid.x));
  v_cell = corner * cells;
  v_grid = a_grid;
  v_base = a_base;
  v_look = a_look;
  v_paper = a_paper;
  v_shown = a_shown;
  v_cell_size = a_rect.zw / cells;
  vec2 clip = position / u_viewport * 2.0 - 1.0;
  gl_Position = vec4(clip.x, -clip.y, 0.0, 1.0);
}
