// strtod for the page. The C library's computes with 128 bits in software, 4 kB of what a page
// downloads; every browser has a reader of its own.
#include <cmath>
#include <cstdlib>
#include <cstring>

#include <emscripten.h>

// NaN where the text is no number.
EM_JS(double, page_number, (const char* text), { return Number(UTF8ToString(text)); });

/// What the page's program is linked with instead of strtod (tools/cmake/Site.cmake). Reads all of
/// `text` or nothing of it: a number with something behind it is none here.
// NOLINTNEXTLINE(bugprone-reserved-identifier): the name that the linker's --wrap gives it
extern "C" double __wrap_strtod(const char* text, char** end) {
  const double number = page_number(text);
  const bool is_number = !std::isnan(number);
  if (end != nullptr) *end = const_cast<char*>(text) + (is_number ? std::strlen(text) : 0);
  return is_number ? number : 0.0;
}
