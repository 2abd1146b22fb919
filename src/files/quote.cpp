#include "files/quote.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <utf8/core.h>
#include <utf8/unchecked.h>

namespace files {
namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

std::string byte_escape(unsigned char byte) {
  return {'\\', 'x', hex_digits[byte >> 4U], hex_digits[byte & 15U]};
}

std::string code_point_escape(std::uint32_t code_point) {
  std::string digits;
  for (; code_point != 0 || digits.empty(); code_point >>= 4U) {
    digits += hex_digits[code_point & 15U];
  }
  std::reverse(digits.begin(), digits.end());
  return "\\u{" + digits + "}";
}

/// True for characters that end a line, are invisible, or change the direction of text.
bool is_unsafe(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xAD || c == 0x61C ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF;
}

}  // namespace

std::string in_quotes(std::string_view text, std::size_t max_characters) {
  std::string result = "\"";
  // Characters beyond the limit are not examined.
  text = text.substr(0, 4 * (max_characters + 1));
  for (std::size_t characters = 0; !text.empty(); ++characters) {
    if (characters == max_characters) {
      result += "…";
      break;
    }
    if (utf8::find_invalid(text.begin(), text.end()) == text.begin()) {
      result += byte_escape(static_cast<unsigned char>(text.front()));
      text.remove_prefix(1);
      continue;
    }
    const char* end = text.data();
    const std::uint32_t code_point = utf8::unchecked::next(end);
    const std::string_view character = text.substr(0, static_cast<std::size_t>(end - text.data()));
    if (is_unsafe(code_point)) {
      result += code_point_escape(code_point);
    } else {
      if (code_point == '"' || code_point == '\\') result += '\\';
      result += character;
    }
    text.remove_prefix(character.size());
  }
  return result + "\"";
}

}  // namespace files
