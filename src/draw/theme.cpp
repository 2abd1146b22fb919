#include "draw/theme.hpp"

#include <algorithm>
#include <cmath>

namespace draw {

namespace {

constexpr Rgb hex(unsigned value) {
  return {static_cast<float>((value >> 16U) & 0xFFU) / 255.0F,
          static_cast<float>((value >> 8U) & 0xFFU) / 255.0F,
          static_cast<float>(value & 0xFFU) / 255.0F};
}

float linear(float channel) {
  return channel <= 0.04045F ? channel / 12.92F : std::pow((channel + 0.055F) / 1.055F, 2.4F);
}

// Blue, red, green, yellow, cyan, purple, orange and grey, as Paul Tol's "bright" scheme has them
// (Tol, "Colour schemes", SRON 2021), then moved by search until every two of them are told apart
// without red, green or blue cones too: the test of this file holds them to it.
constexpr std::array<Rgb, 8> head_hues{hex(0x3C71B8), hex(0xCC2148), hex(0x076324), hex(0xAE9E0D),
                                       hex(0x2AAFDB), hex(0xA01E77), hex(0xD48073), hex(0x767676)};
constexpr std::array<Rgb, 8> head_hues_on_dark{hex(0x478EFF), hex(0xEF979A), hex(0x29A660),
                                               hex(0xDDC954), hex(0x1CCCFA), hex(0xD55FAB),
                                               hex(0xA47B08), hex(0xBDC9D1)};

}  // namespace

Rgb mixed(Rgb a, Rgb b, float t) {
  return {a.red + (b.red - a.red) * t, a.green + (b.green - a.green) * t,
          a.blue + (b.blue - a.blue) * t};
}

float luminance(Rgb colour) {
  return 0.2126F * linear(colour.red) + 0.7152F * linear(colour.green) +
         0.0722F * linear(colour.blue);
}

float contrast(Rgb a, Rgb b) {
  const float first = luminance(a);
  const float second = luminance(b);
  return (std::max(first, second) + 0.05F) / (std::min(first, second) + 0.05F);
}

const Theme& light_theme() {
  static const Theme theme{.dark = false,
                           .page = hex(0xF7F5F1),
                           .surface = hex(0xFFFFFF),
                           .border = hex(0xE3DFD8),
                           .text = hex(0x16191D),
                           .quiet = hex(0x5A6068),
                           .line = hex(0xAEB2B8),
                           .accent = hex(0x16191D),
                           .on_accent = hex(0xFFFFFF),
                           .wrong = hex(0xA32A1E),
                           .neutral = hex(0xFDFCFA),
                           .negative = hex(0x3F6FB5),
                           .positive = hex(0xCB6328),
                           .hidden = hex(0xB9B4AB),
                           .invalid = hex(0xC2185B),
                           .heads = head_hues};
  return theme;
}

const Theme& dark_theme() {
  static const Theme theme{.dark = true,
                           .page = hex(0x15181C),
                           .surface = hex(0x1D2126),
                           .border = hex(0x30353C),
                           .text = hex(0xECEEF0),
                           .quiet = hex(0x9AA1AA),
                           .line = hex(0x565D66),
                           .accent = hex(0xECEEF0),
                           .on_accent = hex(0x15181C),
                           .wrong = hex(0xFF8A7A),
                           .neutral = hex(0x23272D),
                           .negative = hex(0x5596EE),
                           .positive = hex(0xEE7E3D),
                           .hidden = hex(0x4A515A),
                           .invalid = hex(0xF06292),
                           .heads = head_hues_on_dark};
  return theme;
}

Rgb cell_colour(const Theme& theme, stage::Colouring colouring, float range, Rgb hue, float value) {
  if (std::isnan(value)) return theme.invalid;
  if (value < -3.0e38F) return theme.neutral;  // with stripes over it
  if (colouring == stage::Colouring::weights)
    return mixed(theme.neutral, hue, std::clamp(value, 0.0F, 1.0F));
  const float t = std::clamp(value / range, -1.0F, 1.0F);
  return t < 0.0F ? mixed(theme.neutral, theme.negative, -t)
                  : mixed(theme.neutral, theme.positive, t);
}

int decimals_in(const stage::Block& block, int room) {
  const int whole = block.range >= 10.0F ? 1 + static_cast<int>(std::log10(block.range)) : 1;
  const int sign = block.colouring == stage::Colouring::weights ? 0 : 1;
  return std::clamp(room - sign - whole - 1, 0, 3);
}

Rgb text_on(Rgb background) {
  // Pure black: with ink as light as #101215 there are greys on which neither reaches 4.5:1.
  constexpr Rgb ink = hex(0x000000);
  constexpr Rgb paper = hex(0xFFFFFF);
  return contrast(background, ink) >= contrast(background, paper) ? ink : paper;
}

}  // namespace draw
