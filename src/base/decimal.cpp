#include "base/decimal.hpp"

#include <cstdio>
#include <cstdlib>
#include <limits>

namespace base {
namespace {

/// How many decimal digits `text` begins with.
std::size_t digits_in(std::string_view text) {
  const std::size_t other = text.find_first_not_of("0123456789");
  return other == std::string_view::npos ? text.size() : other;
}

/// A sign or none, digits with or without a point, an exponent or none, and nothing else: strtod
/// takes spaces, hexadecimal and words besides.
bool is_decimal(std::string_view text) {
  const auto skip = [&text](std::string_view any_of) {
    const bool found = !text.empty() && any_of.find(text.front()) != std::string_view::npos;
    if (found) text.remove_prefix(1);
    return found;
  };
  const auto skip_digits = [&text] {
    const std::size_t count = digits_in(text);
    text.remove_prefix(count);
    return count;
  };
  skip("+-");
  std::size_t digits = skip_digits();
  if (skip(".")) digits += skip_digits();
  if (digits == 0) return false;
  if (skip("eE")) {
    skip("+-");
    if (skip_digits() == 0) return false;
  }
  return text.empty();
}

}  // namespace

std::optional<double> read_decimal(std::string_view text) {
  if (!is_decimal(text)) return std::nullopt;
  return std::strtod(std::string(text).c_str(), nullptr);
}

std::optional<float> read_float(std::string_view text) {
  if (!is_decimal(text)) return std::nullopt;
  return std::strtof(std::string(text).c_str(), nullptr);
}

std::string shortest_decimal(float number) {
  char text[32];
  for (int digits = 1; digits <= std::numeric_limits<float>::max_digits10; ++digits) {
    std::snprintf(text, sizeof text, "%.*g", digits, static_cast<double>(number));
    // By way of a double it can end on the other side of the middle between two floats.
    if (read_float(text) == number && static_cast<float>(*read_decimal(text)) == number) break;
  }
  return text;
}

}  // namespace base
