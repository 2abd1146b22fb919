// The texture says how much of a pixel is covered, in white: by a letter, or by a line's smooth edge. An emoji has
// colours of its own there.

precision highp float;
precision mediump sampler2D;

in vec2 v_place;
in vec4 v_colour;

uniform sampler2D u_texture;

out vec4 colour;

void main() { colour = v_colour * texture(u_texture, v_place); }
