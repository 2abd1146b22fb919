#include "base/decimal.hpp"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>

namespace base {

std::optional<double> read_decimal(std::string_view text) {
  // strtod also takes spaces, hexadecimal digits and "nan".
  if (text.empty() || text.find_first_not_of("+-.0123456789eE") != text.npos) return std::nullopt;
  const std::string terminated(text);
  char* end = nullptr;
  const double number = std::strtod(terminated.c_str(), &end);
  if (end != terminated.c_str() + text.size()) return std::nullopt;
  return number;
}

std::optional<float> read_float(std::string_view text) {
  const std::optional<double> number = read_decimal(text);
  if (!number) return std::nullopt;
  return static_cast<float>(*number);
}

std::string shortest_decimal(float number) {
  std::string shortest;
  for (int digits = 1; digits <= std::numeric_limits<float>::max_digits10; ++digits) {
    char text[32];
    std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(number));
    if (read_float(text) != number) continue;
    // More digits can be shorter than an exponent: "10", not "1e+01".
    if (shortest.empty() || std::strlen(text) <= shortest.size()) shortest = text;
    if (shortest.find('e') == std::string::npos) break;
  }
  return shortest;
}

std::string with_exponent(double number, int decimals) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*e", decimals, number);
  std::string plain = text;  // like "1.00e+33"
  plain.erase(plain.find("e+") + 1, 1);
  return plain.erase(plain.find('e') + 1, plain[plain.find('e') + 1] == '0' ? 1 : 0);
}

}  // namespace base
