// Numbers as text for the screen: with a typographic minus sign and as many digits as fit.
#pragma once

#include <string>

namespace stage {

/// `value` with `decimals` digits after the point, such as "−0.14"; "∞", "−∞" or "NaN" where it is
/// not finite. A value that rounds to zero has no sign, and one from 1e10 up an exponent:
/// "1.00e33".
std::string number_text(float value, int decimals);

/// `value` with as many decimals (at most `decimals`) as fit into `characters` glyphs; empty if not
/// even the integer part fits. Numbers from 10 000 up have no decimals, those from 1e10 up an
/// exponent.
std::string number_text_fitting(float value, int characters, int decimals = 3);

/// A weight: "0" where it is exactly that, as for a hidden key; "0.000" is one that rounds to 0.
std::string weight_text(float value, int decimals);

/// `value`, between −0.5 and 0.5 and not 0, by its first digit, in `characters` glyphs: "0.02",
/// "2e−3" or "−.02"; empty if none of them fits.
std::string small_number_text(float value, int characters);

/// `value` with at least three significant digits, so that a small number never looks like zero:
/// "12.34", "−0.0762", "1.23e−12".
std::string number_text_telling(float value);

/// `value` as precisely as float32 holds it (at most nine significant digits, no trailing zeros),
/// for an edit field: with an ASCII minus sign, and "-inf" and "nan" for what is not finite.
std::string number_for_editing(float value);

/// Reads a number that a person typed, with an ASCII or typographic minus sign, a decimal comma or
/// point, or "inf" or "∞". Returns false for anything else and leaves `value` unchanged.
bool parse_number(const std::string& text, float& value);

}  // namespace stage
