#include "base/decimal.hpp"

#include <cstdio>
#include <cstdlib>
#include <limits>

namespace base {
namespace {

/// All of `text` as read by `convert`, which is strtod or strtof. They also accept spaces,
/// hexadecimal digits and "nan", so other characters are refused first.
template <typename Number>
std::optional<Number> read(std::string_view text, Number (*convert)(const char*, char**)) {
  if (text.find_first_not_of("+-.0123456789eE") != std::string_view::npos) return std::nullopt;
  const std::string terminated(text);
  char* end = nullptr;
  const Number number = convert(terminated.c_str(), &end);
  if (text.empty() || end != terminated.c_str() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::optional<double> read_decimal(std::string_view text) { return read(text, std::strtod); }

std::optional<float> read_float(std::string_view text) { return read(text, std::strtof); }

std::string shortest_decimal(float number) {
  char text[32];
  for (int digits = 1; digits <= std::numeric_limits<float>::max_digits10; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(number));
    // JavaScript reads a double and rounds that: the digits must give the same float this way too.
    if (read_float(text) == number && static_cast<float>(*read_decimal(text)) == number) break;
  }
  return text;
}

}  // namespace base
