// The texture says how much of a pixel is covered: by a letter, or by a line's smooth edge.

precision highp float;
precision mediump sampler2D;

in vec2 v_place;
in vec4 v_colour;

uniform sampler2D u_coverage;

out vec4 colour;

void main() {
  colour = vec4(v_colour.rgb, v_colour.a * texture(u_coverage, v_place).r);
}
