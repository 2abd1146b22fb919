// Numbers as decimal digits, and back: strtod for text that comes from outside.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <string>
#include <string_view>

namespace base {

/// The double nearest to what `text` says, infinite where that is too large. Nothing unless all of
/// it is a number: a sign or none, digits with or without a point, an exponent or none.
std::optional<double> read_decimal(std::string_view text);
/// The same for a float, which is not always the float nearest to that double.
std::optional<float> read_float(std::string_view text);

/// The whole number that all of `text` is, in digits; nothing where it does not fit into Number.
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

}  // namespace base
