#include "base/json/json_reader.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>

#include <utf8/unchecked.h>

namespace base {

void JsonReader::skip_space() {
  left_.remove_prefix(std::min(left_.find_first_not_of(" \t\r\n"), left_.size()));
}

bool JsonReader::next_is(std::string_view wanted) {
  if (!left_.starts_with(wanted)) return false;
  left_.remove_prefix(wanted.size());
  return true;
}

bool JsonReader::take(char sign) { return take_word({&sign, 1}); }

bool JsonReader::take_word(std::string_view word) {
  skip_space();
  return next_is(word);
}

bool JsonReader::at_value() {
  constexpr std::string_view beginnings = "\"[{-0123456789tfn";
  skip_space();
  return !left_.empty() && beginnings.find(left_.front()) != std::string_view::npos;
}

bool JsonReader::at_text() {
  skip_space();
  return left_.starts_with('"');
}

bool JsonReader::at_end() {
  skip_space();
  return left_.empty();
}

/// At least one.
bool JsonReader::take_digits() {
  const std::size_t count = std::min(left_.find_first_not_of("0123456789"), left_.size());
  left_.remove_prefix(count);
  return count > 0;
}

std::string_view JsonReader::read_number() {
  skip_space();
  const std::string_view before = left_;
  next_is("-");
  if (!next_is("0") && !take_digits()) return {};
  if (next_is(".") && !take_digits()) return {};
  if (next_is("e") || next_is("E")) {
    if (!next_is("-")) next_is("+");
    if (!take_digits()) return {};
  }
  return before.substr(0, before.size() - left_.size());
}

bool JsonReader::read_text(std::string& text) {
  if (!take('"')) return false;
  while (!next_is("\"")) {
    const auto plain = std::find_if(left_.begin(), left_.end(), [](char c) {
      return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
    });
    text.append(left_.begin(), plain);
    left_.remove_prefix(static_cast<std::size_t>(plain - left_.begin()));
    if (!left_.starts_with('"') && !read_escape(text)) return false;
  }
  return true;
}

bool JsonReader::read_escape(std::string& text) {
  constexpr std::string_view letters = "\"\\/bfnrt";
  constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
  if (!next_is("\\") || left_.empty()) return false;
  const std::size_t which = letters.find(left_.front());
  if (which != std::string_view::npos) {
    text += meant[which];
    left_.remove_prefix(1);
    return true;
  }
  unsigned code = 0;
  if (!read_unit(code)) return false;
  // What lies beyond 16 bits is written as two halves of its own.
  if (code >= 0xDC00 && code < 0xE000) return false;
  if (code >= 0xD800 && code < 0xDC00) {
    unsigned low = 0;
    if (!next_is("\\") || !read_unit(low) || low < 0xDC00 || low >= 0xE000) return false;
    code = 0x10000U + ((code & 0x3FFU) << 10U | (low & 0x3FFU));
  }
  utf8::unchecked::append(code, std::back_inserter(text));
  return true;
}

/// "u" and four hexadecimal digits.
bool JsonReader::read_unit(unsigned& code) {
  if (!next_is("u") || left_.size() < 4) return false;
  const char* const begin = left_.data();
  const char* const end = std::from_chars(begin, begin + 4, code, 16).ptr;
  left_.remove_prefix(static_cast<std::size_t>(end - begin));
  return end == begin + 4;
}

}  // namespace base
