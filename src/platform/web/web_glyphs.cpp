// Letters from the browser's own fonts, for scripts that the program's fonts lack.
#include <emscripten.h>

#include "platform/glyphs.hpp"

namespace platform {

// Draws one letter on a canvas of its own and writes its coverage to `pixels` and width, height,
// left, top and advance to `numbers`. Returns 1, or 0 where the letter does not fit into `capacity`
// bytes or no canvas is to be had.
// clang-format off
EM_JS(int, al_draw_letter, (int letter, float size, float* numbers, unsigned char* pixels, int capacity), {
  if (!Module.letterCanvas) {
    const canvas = document.createElement('canvas');
    Module.letterCanvas = canvas.getContext('2d', { willReadFrequently: true });
  }
  const context = Module.letterCanvas;
  if (!context) return 0;
  const text = String.fromCodePoint(letter);
  const font = size + 'px system-ui, sans-serif';
  context.font = font;
  const measured = context.measureText(text);
  const left = Math.floor(-measured.actualBoundingBoxLeft) - 1;
  const top = Math.ceil(measured.actualBoundingBoxAscent) + 1;
  const width = Math.max(0, Math.ceil(measured.actualBoundingBoxRight) + 1 - left);
  const height = Math.max(0, Math.ceil(measured.actualBoundingBoxDescent) + 1 + top);
  if (width * height > capacity) return 0;
  const out = numbers >> 2;
  HEAPF32[out] = width;
  HEAPF32[out + 1] = height;
  HEAPF32[out + 2] = left;
  HEAPF32[out + 3] = top;
  HEAPF32[out + 4] = measured.width;
  if (width === 0 || height === 0) return 1;
  context.canvas.width = width;
  context.canvas.height = height;
  context.font = font;  // a canvas that changes its size forgets it
  context.fillText(text, -left, top);
  const image = context.getImageData(0, 0, width, height).data;
  for (let i = 0; i < width * height; ++i) HEAPU8[pixels + i] = image[4 * i + 3];
  return 1;
});
// clang-format on

bool draw_letter(char32_t letter, float size, LetterBitmap& bitmap) {
  constexpr int most_pixels = 512 * 512;
  bitmap.coverage.resize(most_pixels);
  float numbers[5] = {};
  const int drawn =
      al_draw_letter(static_cast<int>(letter), size, numbers, bitmap.coverage.data(), most_pixels);
  if (drawn == 0) return false;
  bitmap.width = static_cast<int>(numbers[0]);
  bitmap.height = static_cast<int>(numbers[1]);
  bitmap.left = numbers[2];
  bitmap.top = numbers[3];
  bitmap.advance = numbers[4];
  return true;
}

}  // namespace platform
