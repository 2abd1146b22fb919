// Colours a cell by its number, which is read from the tensor's storage through its strides.

precision highp float;
precision highp int;
precision highp sampler2D;

in vec2 v_cell;
flat in ivec4 v_grid;
flat in int v_base;
flat in vec4 v_look;
flat in vec3 v_paper;
flat in int v_shown;
flat in vec2 v_cell_size;

uniform sampler2D u_values;       // the storage, one float per texel, row after row
uniform float u_pixel_ratio;
uniform vec3 u_neutral;           // 0
uniform vec3 u_negative;          // −range
uniform vec3 u_positive;          // +range
uniform vec3 u_weight;            // +range in matrices of weights, which are not negative
uniform vec3 u_hidden;            // −∞: stripes of this on neutral
uniform vec3 u_invalid;           // NaN

out vec4 colour;

float value_at(ivec2 cell) {
  int address = v_base + cell.y * v_grid.z + cell.x * v_grid.w;
  int width = textureSize(u_values, 0).x;
  return texelFetch(u_values, ivec2(address % width, address / width), 0).r;
}

vec3 colour_of(float value) {
  if (isnan(value)) return u_invalid;
  if (value < -3.0e38) {
    float stripe = mod((gl_FragCoord.x + gl_FragCoord.y) / u_pixel_ratio, 6.0);
    return mix(u_neutral, u_hidden, step(4.0, stripe));
  }
  if (v_look.y > 0.5) return mix(u_neutral, u_weight, clamp(value / v_look.x, 0.0, 1.0));
  float t = clamp(value / v_look.x, -1.0, 1.0);
  return t < 0.0 ? mix(u_neutral, u_negative, -t) : mix(u_neutral, u_positive, t);
}

// The opacity of a cell: 0 if it is not computed yet.
float presence(ivec2 cell) { return cell.y * v_grid.y + cell.x < v_shown ? 1.0 : 0.0; }

// Distance to a rounded box of half-size `extent` around 0; negative inside.
float rounded_box(vec2 p, vec2 extent, float radius) {
  vec2 q = abs(p) - extent + radius;
  return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - radius;
}

void main() {
  if (v_shown < 0) {  // the paper under a matrix
    colour = vec4(v_paper, v_look.z);
    return;
  }
  ivec2 last = ivec2(v_grid.y, v_grid.x) - 1;
  vec2 pixels = v_cell_size * u_pixel_ratio;  // device pixels per cell
  vec2 footprint = 1.0 / pixels;
  ivec2 taps = ivec2(1);
  float cover = 1.0;
  if (min(pixels.x, pixels.y) >= 1.0) {
    footprint = vec2(0.0);
    float gap = v_look.w;
    if (gap > 0.0) {
      vec2 corner = clamp(floor(v_cell), vec2(0.0), vec2(last));
      vec2 from_centre = (v_cell - corner - 0.5) * v_cell_size;
      vec2 extent = (v_cell_size - gap) * 0.5;
      float radius = min(3.0, min(v_cell_size.x, v_cell_size.y) * 0.12);
      cover = clamp(0.5 - rounded_box(from_centre, extent, radius) * u_pixel_ratio, 0.0, 1.0);
    }
  } else {
    // Several cells under one pixel: the mean of at most 8 × 8 of their colours.
    taps = clamp(ivec2(ceil(footprint)), ivec2(1), ivec2(8));
  }

  // The same code for one cell and for many, because compiling it takes a good part of the time until the
  // first frame if there is no graphics card.
  vec3 sum = vec3(0.0);
  float seen = 0.0;
  for (int y = 0; y < taps.y; ++y) {
    for (int x = 0; x < taps.x; ++x) {
      vec2 offset = (vec2(float(x), float(y)) + 0.5) / vec2(taps) - 0.5;
      ivec2 cell = clamp(ivec2(floor(v_cell + offset * footprint)), ivec2(0), last);
      float here = presence(cell);
      sum += here > 0.0 ? colour_of(value_at(cell)) : u_neutral;
      seen += here > 0.0 ? here : 0.3;
    }
  }
  float count = float(taps.x * taps.y);
  colour = vec4(sum / count, cover * v_look.z * seen / count);
}
