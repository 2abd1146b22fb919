#include "stage/scene/number_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "base/decimal.hpp"

namespace stage {

namespace {

constexpr const char* minus_sign = "\u2212";

std::size_t glyphs(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char byte) {
    return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U;
  }));
}

bool has_exponent(float value) {
  return std::isfinite(value) && std::fabs(value) >= base::too_large_to_write_out;
}

std::string number_with_exponent(float value, int decimals) {
  return (value < 0 ? minus_sign : "") +
         base::with_exponent(static_cast<double>(std::fabs(value)), decimals);
}

}  // namespace

std::string number_text(float value, int decimals) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "\u221E" : std::string(minus_sign) + "\u221E";
  if (has_exponent(value)) return number_with_exponent(value, 2);
  char buffer[64];
  std::snprintf(buffer, sizeof buffer, "%.*f", decimals, static_cast<double>(std::fabs(value)));
  const std::string digits = buffer;
  const bool is_zero = digits.find_first_not_of("0.") == std::string::npos;
  return (value < 0 && !is_zero ? minus_sign : "") + digits;
}

std::string number_text_fitting(float value, int characters, int decimals) {
  const bool exponent = has_exponent(value);
  if (std::fabs(value) >= 10000.0F) decimals = exponent ? 2 : 0;
  for (int digits = decimals; digits >= 0; --digits) {
    std::string text = exponent ? number_with_exponent(value, digits) : number_text(value, digits);
    if (glyphs(text) <= static_cast<std::size_t>(characters > 0 ? characters : 0)) return text;
    if (!std::isfinite(value)) break;
  }
  return {};
}

std::string small_number_text(float value, int characters) {
  const auto fits = [&](const std::string& text) {
    return glyphs(text) <= static_cast<std::size_t>(std::max(characters, 0));
  };
  const std::string sign = value < 0.0F ? minus_sign : "";
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.0e", static_cast<double>(std::fabs(value)));
  const std::string short_form = buffer;  // like "2e-03"
  const std::string power = short_form.substr(short_form.find_first_not_of("0", 3));
  const std::string exponent = sign + short_form.substr(0, 2) + minus_sign + power;
  const std::string fixed = number_text(value, std::stoi(power));
  const std::string without_zero = sign + fixed.substr(fixed.find('.'));
  for (const std::string& text : {fixed, exponent, without_zero}) {
    if (fits(text)) return text;
  }
  return {};
}

std::string weight_text(float value, int decimals) {
  return number_text(value, value == 0.0F ? 0 : decimals);
}

std::string number_text_telling(float value) {
  const float magnitude = std::fabs(value);
  if (!std::isfinite(value) || magnitude == 0.0F || magnitude >= 1.0F) {
    return number_text(value, magnitude >= 10000.0F ? 0 : 2);
  }
  const int exponent = static_cast<int>(std::floor(std::log10(magnitude)));
  if (magnitude >= 1e-4F) return number_text(value, 2 - exponent);
  char buffer[32];
  std::snprintf(buffer, sizeof buffer, "%.2e", static_cast<double>(magnitude));
  const std::string text = buffer;
  const std::size_t at = text.find('e');  // the text is like "1.23e-05"
  return (value < 0 ? minus_sign : "") + text.substr(0, at) + "e" + minus_sign +
         text.substr(text.find_first_not_of("-0", at + 1));
}

std::string number_for_editing(float value) {
  if (std::isnan(value)) return "nan";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  return base::shortest_decimal(value);
}

bool parse_number(const std::string& text, float& value) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text.compare(i, 3, minus_sign) == 0) {
      plain += '-';
      i += 2;
    } else if (text.compare(i, 3, "\u221E") == 0) {
      plain += "inf";
      i += 2;
    } else if (text[i] == ',') {
      plain += '.';
    } else if (text[i] != ' ') {
      plain += text[i];
    }
  }
  if (plain.empty() || plain.size() > 40) return false;
  if (plain == "inf" || plain == "+inf" || plain == "-inf") {
    const float infinity = std::numeric_limits<float>::infinity();
    value = plain[0] == '-' ? -infinity : infinity;
    return true;
  }
  const auto parsed = base::read_float(plain);
  if (!parsed || !std::isfinite(*parsed)) return false;
  value = *parsed;
  return true;
}

}  // namespace stage
