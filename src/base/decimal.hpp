// Conversion between numbers and decimal digits, strict enough for text that users give.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace base {

/// The double nearest to the decimal number `text`, or infinity if that is too large. Nothing
/// unless all of it is an optional sign, digits with or without a point, and an optional exponent.
std::optional<double> read_decimal(std::string_view text);
/// That double as a float, as JavaScript, NumPy and PyTorch make a float32 of a number in code.
std::optional<float> read_float(std::string_view text);

/// `text`, all of it digits, as a whole number; nothing if it does not fit into Number.
template <std::integral Number>
std::optional<Number> read_whole(std::string_view text) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end ? std::optional(number) : std::nullopt;
}

/// The shortest decimal that reads back as this float, at most nine digits and an exponent: "0.1",
/// "1e-07". `number` is finite.
std::string shortest_decimal(float number);

/// A number that is too large to be written out, such as "1.00e33" or "-1.26e9".
std::string with_exponent(double number, int decimals);
/// From here on numbers are.
inline constexpr double too_large_to_write_out = 1e10;

}  // namespace base
