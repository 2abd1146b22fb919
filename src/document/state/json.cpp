#include "document/state/json.hpp"

#include <utf8/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

#include "base/decimal.hpp"

namespace document {

namespace {

constexpr int deepest = 64;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

void write_text(std::string& out, std::string_view text) {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  constexpr std::string_view short_of = "btn fr";  // of the control characters 8 to 13 but 11
  out += '"';
  while (true) {
    const auto end = utf8::find_invalid(text.begin(), text.end());
    const std::string_view valid = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    for (const char c : valid) {
      const auto code = static_cast<unsigned char>(c);
      if (c == '"' || c == '\\') {
        out += '\\';
        out += c;
      } else if (code >= 0x20) {
        out += c;
      } else if (code >= 8 && code <= 13 && code != 11) {
        out += '\\';
        out += short_of[code - 8U];
      } else {
        out += "\\u00";
        out += hexadecimal[code >> 4U];
        out += hexadecimal[code & 0xFU];
      }
    }
    if (valid.size() == text.size()) break;
    out += "\uFFFD";
    text.remove_prefix(valid.size() + 1);
  }
  out += '"';
}

void write_number(std::string& out, double number, bool whole) {
  if (!std::isfinite(number)) {
    out += "null";
    return;
  }
  char digits[40];
  // Whole numbers below 2^53 have at most 16 digits; 17 always suffice.
  for (int count = 15; count <= 17; ++count) {
    std::snprintf(digits, sizeof digits, "%.*g", count, number);
    if (*base::read_decimal(digits) == number) break;
  }
  const std::string_view text = digits;
  out += text;
  if (!whole && text.find_first_of(".e") == std::string_view::npos) out += ".0";
}

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

Json::Json(Kind kind) : kind_(kind), content_(std::make_unique<Content>()) {}
Json::Json(bool flag) : kind_(Kind::boolean), flag_(flag) {}
Json::Json(double number) : Json(number, false) {}
Json::Json(double number, bool whole)
    : kind_(whole ? Kind::whole : Kind::number), number_(number) {}
Json::Json(std::string_view text) : Json(Kind::text) { content_->text = text; }
Json::Json(const Json& other)
    : kind_(other.kind_),
      flag_(other.flag_),
      content_(other.content_ ? std::make_unique<Content>(*other.content_) : nullptr),
      number_(other.number_) {}
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(Json other) noexcept {
  std::swap(kind_, other.kind_);
  std::swap(flag_, other.flag_);
  std::swap(content_, other.content_);
  std::swap(number_, other.number_);
  return *this;
}
Json::~Json() = default;

Json Json::array() { return Json(Kind::array); }
Json Json::object() { return Json(Kind::object); }

std::span<const Json> Json::elements() const {
  return content_ ? std::span<const Json>(content_->elements) : std::span<const Json>();
}

std::span<const std::string> Json::names() const {
  return content_ ? std::span<const std::string>(content_->names) : std::span<const std::string>();
}

const Json* Json::find(std::string_view name) const {
  for (std::size_t i = names().size(); i-- > 0;) {
    if (names()[i] == name) return &elements()[i];
  }
  return nullptr;
}

void Json::push_back(Json value) { content_->elements.push_back(std::move(value)); }

void Json::add(std::string_view name, Json value) {
  content_->names.emplace_back(name);
  push_back(std::move(value));
}

void Json::add_text(const char* name, std::string_view text) { add(name, Json(text)); }
void Json::add_flag(const char* name, bool flag) { add(name, Json(flag)); }
void Json::add_number(const char* name, double number, bool whole) {
  add(name, Json(number, whole));
}

bool Json::operator==(const Json& other) const {
  if (is_number() && other.is_number()) return number_ == other.number_;
  return kind_ == other.kind_ && flag_ == other.flag_ &&
         (content_ == nullptr ||
          (content_->text == other.content_->text && content_->names == other.content_->names &&
           content_->elements == other.content_->elements));
}

std::string Json::dump() const {
  std::string out;
  write(out);
  return out;
}

void Json::write(std::string& out) const {
  switch (kind_) {
    case Kind::none:
    case Kind::null:
      out += "null";
      return;
    case Kind::boolean:
      out += flag_ ? "true" : "false";
      return;
    case Kind::whole:
    case Kind::number:
      return write_number(out, number_, kind_ == Kind::whole);
    case Kind::text:
      return write_text(out, content_->text);
    case Kind::array:
    case Kind::object:
      break;
  }
  const bool is_list = kind_ == Kind::array;
  out += is_list ? '[' : '{';
  for (std::size_t i = 0; i < size(); ++i) {
    if (i > 0) out += ',';
    if (!is_list) {
      write_text(out, names()[i]);
      out += ':';
    }
    elements()[i].write(out);
  }
  out += is_list ? ']' : '}';
}

// --- Reading -------------------------------------------------------------------------------------

/// Walks over a text that is UTF-8. Each function reads what stands at the front and takes it away;
/// false where something else stands there.
class Json::Parser {
 public:
  explicit Parser(std::string_view text) : left_(text) {}

  bool whole_text(Json& value) {
    if (!read(value, 0)) return false;
    skip_space();
    return left_.empty();
  }

 private:
  void skip_space() {
    left_.remove_prefix(std::min(left_.find_first_not_of(" \t\r\n"), left_.size()));
  }

  bool take(std::string_view wanted) {
    if (!left_.starts_with(wanted)) return false;
    left_.remove_prefix(wanted.size());
    return true;
  }

  /// After spaces.
  bool take_sign(char wanted) {
    skip_space();
    return take({&wanted, 1});
  }

  bool read(Json& value, int depth) {
    skip_space();
    if (take("null")) {
      value = Json();
    } else if (take("true")) {
      value = Json(true);
    } else if (take("false")) {
      value = Json(false);
    } else if (left_.starts_with('"')) {
      value = Json(Kind::text);
      return read_text(value.content_->text);
    } else if (take("[")) {
      value = array();
      return depth < deepest && read_elements(value, ']', depth);
    } else if (take("{")) {
      value = object();
      return depth < deepest && read_elements(value, '}', depth);
    } else {
      return read_number(value);
    }
    return true;
  }

  /// Of an array or an object, up to its `end`.
  bool read_elements(Json& value, char end, int depth) {
    if (take_sign(end)) return true;
    do {
      if (value.is_object()) {
        skip_space();
        if (!read_text(value.content_->names.emplace_back()) || !take_sign(':')) return false;
      }
      if (!read(value.content_->elements.emplace_back(), depth + 1)) return false;
    } while (take_sign(','));
    return take_sign(end);
  }

  /// At least one.
  bool take_digits() {
    const std::size_t count = std::min(left_.find_first_not_of("0123456789"), left_.size());
    left_.remove_prefix(count);
    return count > 0;
  }

  bool read_number(Json& value) {
    const std::string_view before = left_;
    bool is_whole = !take("-");
    if (!take("0") && !take_digits()) return false;
    if (take(".")) {
      is_whole = false;
      if (!take_digits()) return false;
    }
    if (take("e") || take("E")) {
      is_whole = false;
      if (!take("-")) take("+");
      if (!take_digits()) return false;
    }
    value = Json(*base::read_decimal(before.substr(0, before.size() - left_.size())));
    if (is_whole) value.kind_ = Kind::whole;
    return std::isfinite(value.number_);
  }

  bool read_text(std::string& text) {
    if (!take("\"")) return false;
    while (!take("\"")) {
      const auto plain = std::find_if(left_.begin(), left_.end(), [](char c) {
        return c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20;
      });
      text.append(left_.begin(), plain);
      left_.remove_prefix(static_cast<std::size_t>(plain - left_.begin()));
      if (!left_.starts_with('"') && !read_escape(text)) return false;
    }
    return true;
  }

  bool read_escape(std::string& text) {
    constexpr std::string_view letters = "\"\\/bfnrt";
    constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
    if (!take("\\") || left_.empty()) return false;
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
      if (!take("\\") || !read_unit(low) || low < 0xDC00 || low >= 0xE000) return false;
      code = 0x10000U + ((code & 0x3FFU) << 10U | (low & 0x3FFU));
    }
    append_utf8(text, code);
    return true;
  }

  /// "u" and four hexadecimal digits.
  bool read_unit(unsigned& code) {
    if (!take("u") || left_.size() < 4) return false;
    for (int i = 0; i < 4; ++i) {
      const char c = left_.front();
      const auto lower = static_cast<char>(c | 0x20);
      if (!is_digit(c) && (lower < 'a' || lower > 'f')) return false;
      code = code << 4U | static_cast<unsigned>(is_digit(c) ? c - '0' : lower - 'a' + 10);
      left_.remove_prefix(1);
    }
    return true;
  }

  std::string_view left_;
};

Json Json::parse(std::string_view text) {
  Json value;
  if (!utf8::is_valid(text.begin(), text.end()) || !Parser(text).whole_text(value)) {
    value = Json();
    value.kind_ = Kind::none;
  }
  return value;
}

}  // namespace document
