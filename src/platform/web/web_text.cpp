// Text in the browser's own fonts, set by the browser: it joins Arabic letters, orders
// right-to-left runs and puts emoji together.
#include <emscripten.h>

#include <string>

#include "platform/text_picture.hpp"

namespace platform {

// Draws the text on a canvas of its own and writes its pixels to `pixels` and width, height, left,
// top, advance and whether it has colours to `numbers`. Returns 1, or 0 where the picture does not
// fit into `capacity` pixels or no canvas is to be had.
// clang-format off
EM_JS(int, al_draw_text, (const char* utf8, float size, float* numbers, unsigned char* pixels, int capacity), {
  if (!Module.textCanvas) {
    const canvas = document.createElement('canvas');
    Module.textCanvas = canvas.getContext('2d', { willReadFrequently: true });
  }
  const context = Module.textCanvas;
  if (!context) return 0;
  const text = UTF8ToString(utf8);
  const toLeft = Array.from(text).some((letter) => {
    const code = letter.codePointAt(0);
    return (code >= 0x590 && code <= 0x8FF) || (code >= 0xFB1D && code <= 0xFEFE) ||
           (code >= 0x10800 && code <= 0x10FFF) || (code >= 0x1E800 && code <= 0x1EFFF);
  });
  const prepare = () => {  // a canvas that changes its size forgets all of it
    context.font = size + 'px system-ui, sans-serif';
    context.fillStyle = '#fff';
    context.textAlign = 'left';
    context.direction = toLeft ? 'rtl' : 'ltr';
  };
  prepare();
  const measured = context.measureText(text);
  const left = Math.floor(-measured.actualBoundingBoxLeft) - 1;
  const top = Math.ceil(measured.actualBoundingBoxAscent) + 1;
  const width = Math.max(0, Math.ceil(measured.actualBoundingBoxRight) + 1 - left);
  const height = Math.max(0, Math.ceil(measured.actualBoundingBoxDescent) + 1 + top);
  if (width * height > capacity) return 0;
  const out = numbers >> 2;
  HEAPF32.set([width, height, left, top, measured.width, 0], out);
  if (width === 0 || height === 0) return 1;
  context.canvas.width = width;
  context.canvas.height = height;
  prepare();
  context.fillText(text, -left, top);
  const image = context.getImageData(0, 0, width, height).data;
  HEAPU8.set(image, pixels);
  for (let i = 0; i < image.length; i += 4) {
    if (image[i + 3] > 8 && image[i] + image[i + 1] + image[i + 2] < 740) HEAPF32[out + 5] = 1;
  }
  return 1;
});
// clang-format on

bool draw_text(std::string_view text, float size, TextPicture& picture) {
  picture.pixels.resize(std::size_t{4} * most_text_pixels);
  float numbers[6] = {};
  if (al_draw_text(std::string(text).c_str(), size, numbers, picture.pixels.data(),
                   most_text_pixels) == 0)
    return false;
  picture.width = static_cast<int>(numbers[0]);
  picture.height = static_cast<int>(numbers[1]);
  picture.left = numbers[2];
  picture.top = numbers[3];
  picture.advance = numbers[4];
  picture.coloured = numbers[5] != 0.0F;
  picture.pixels.resize(std::size_t{4} * static_cast<std::size_t>(picture.width * picture.height));
  return true;
}

}  // namespace platform
