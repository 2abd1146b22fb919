#include "base/json_reader.hpp"

#include <algorithm>

namespace base {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void append_utf8(std::string& out, unsigned code) {
  const auto more = [&](unsigned shift) {
    out += static_cast<char>(0x80U | (code >> shift & 0x3FU));
  };
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0U | code >> 6U);
    more(0);
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0U | code >> 12U);
    more(6);
    more(0);
  } else {
    out += static_cast<char>(0xF0U | code >> 18U);
    more(12);
    more(6);
    more(0);
  }
}

}  // namespace

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
  append_utf8(text, code);
  return true;
}

/// "u" and four hexadecimal digits.
bool JsonReader::read_unit(unsigned& code) {
  if (!next_is("u") || left_.size() < 4) return false;
  for (int i = 0; i < 4; ++i) {
    const char c = left_.front();
    const auto lower = static_cast<char>(c | 0x20);
    if (!is_digit(c) && (lower < 'a' || lower > 'f')) return false;
    code = code << 4U | static_cast<unsigned>(is_digit(c) ? c - '0' : lower - 'a' + 10);
    left_.remove_prefix(1);
  }
  return true;
}

}  // namespace base
