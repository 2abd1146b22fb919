// The picture that image-patches shows by default. Made by code, so that it needs no file and no
// licence.
#include "lesson/examples/examples.hpp"
#include "lesson/input/patches.hpp"

namespace lesson {
namespace {

struct Colour {
  std::uint8_t red, green, blue;
};

// In integers only, so that the bytes are the same on every machine.

bool in_sun(int x, int y) {
  // Twice the distance from the middle of the disc, which lies on a corner of four pixels.
  const int dx = 2 * x - 39;
  const int dy = 2 * y - 7;
  return dx * dx + dy * dy <= 44;
}

bool in_roof(int x, int y) {
  const int half = y - 8;  // wider by one pixel on each side from row to row
  return y >= 9 && y <= 12 && x >= 8 - half && x <= 7 + half;
}

bool in_far_hill(int x, int y) { return (x - 20) * (x - 20) <= 16 * (y - 11) + 6; }
bool in_near_hill(int x, int y) { return (x - 1) * (x - 1) <= 20 * (y - 12) + 3; }

Colour house(int x, int y) {
  const bool window = (y == 14 || y == 15) && (x == 5 || x == 6);
  if (window) return {90, 130, 190};
  const bool door = y >= 16 && (x == 9 || x == 10);
  if (door) return {110, 70, 40};
  return {240, 226, 200};
}

/// A meadow with rows of flowers that repeat every four pixels.
Colour meadow(int x, int y) {
  const bool flower = x % 4 == 1 && y % 4 == 2;
  if (flower) return {250, 240, 250};
  return y % 2 == 0 ? Colour{40, 132, 36} : Colour{30, 116, 28};
}

Colour colour_at(int x, int y) {
  if (y >= 20) return meadow(x, y);
  if (in_roof(x, y)) return {196, 64, 48};
  if (x >= 4 && x <= 11 && y >= 13) return house(x, y);
  if (in_near_hill(x, y)) return {96, 176, 48};
  if (in_far_hill(x, y)) return {24, 92, 76};
  if (in_sun(x, y)) return {255, 216, 64};
  // Paler towards the horizon.
  return {static_cast<std::uint8_t>(100 + 6 * y), static_cast<std::uint8_t>(184 + 3 * y), 244};
}

}  // namespace

std::vector<std::uint8_t> landscape() {
  std::vector<std::uint8_t> rgb;
  rgb.reserve(picture_bytes);
  for (std::size_t y = 0; y < picture_height; ++y) {
    for (std::size_t x = 0; x < picture_width; ++x) {
      const Colour colour = colour_at(static_cast<int>(x), static_cast<int>(y));
      rgb.insert(rgb.end(), {colour.red, colour.green, colour.blue});
    }
  }
  return rgb;
}

}  // namespace lesson
