// Numbers as they are set on screen: a real minus sign, as many digits as there is room for.
#pragma once

#include <string>

namespace stage {

/// `value` with `decimals` digits after the point; "−0.14", "∞", "−∞", "NaN". A value that rounds
/// to zero has no sign.
std::string number_text(float value, int decimals);

/// The most digits (at most `decimals`) that fit into `characters` glyphs; empty if not even the
/// integer part fits. Numbers from 10 000 up are set without digits after the point.
std::string number_text_fitting(float value, int characters, int decimals = 3);

/// `value` with at least three digits that count, so that what is not zero never looks like zero:
/// "12.34", "−0.0762", "1.23e−12".
std::string number_text_telling(float value);

/// As much as float32 says (nine significant digits at most, no trailing zeros): for an edit field.
/// ASCII minus, "-inf".
std::string number_for_editing(float value);

/// Reads what a person typed: an ASCII or real minus, a decimal comma or point, "inf", "∞". False
/// if it is anything else.
bool parse_number(const std::string& text, float& value);

}  // namespace stage
