#include "base/decimal.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>

#if defined(__EMSCRIPTEN__)
#include <emscripten.h>

// strtod computes with 128 bits in software, 4 kB of what a page downloads. The page has a reader
// of its own; NaN where the text is no number.
EM_JS(double, number_in_page, (const char* text, int length),
      { return Number(UTF8ToString(text, length)); });
#endif

namespace base {

std::optional<double> read_decimal(std::string_view text) {
  // Both readers also take spaces, hexadecimal digits and "nan".
  constexpr std::string_view allowed = "+-.0123456789eE";
  if (text.empty() || text.find_first_not_of(allowed) != std::string_view::npos)
    return std::nullopt;
#if defined(__EMSCRIPTEN__)
  const double number = number_in_page(text.data(), static_cast<int>(text.size()));
  if (std::isnan(number)) return std::nullopt;
#else
  const std::string terminated(text);
  char* end = nullptr;
  const double number = std::strtod(terminated.c_str(), &end);
  if (end != terminated.c_str() + text.size()) return std::nullopt;
#endif
  return number;
}

std::optional<float> read_float(std::string_view text) {
  const std::optional<double> number = read_decimal(text);
  if (!number) return std::nullopt;
  return static_cast<float>(*number);
}

std::string shortest_decimal(float number) {
  char text[32];
  for (int digits = 1; digits <= std::numeric_limits<float>::max_digits10; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(number));
    if (read_float(text) == number) break;
  }
  return text;
}

}  // namespace base
