// A vertex of Dear ImGui's draw lists: glyphs, lines and filled shapes.

layout(location = 0) in vec2 a_position;  // logical pixels
layout(location = 1) in vec2 a_place;     // in the texture
layout(location = 2) in vec4 a_colour;

uniform vec2 u_viewport;                  // logical pixels

out vec2 v_place;
out vec4 v_colour;

void main() {
  v_place = a_place;
  v_colour = a_colour;
  vec2 clip = a_position / u_viewport * 2.0 - 1.0;
  gl_Position = vec4(clip.x, -clip.y, 0.0, 1.0);
}
