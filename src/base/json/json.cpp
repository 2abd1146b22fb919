#include "base/json/json.hpp"

#include <utf8/core.h>

#include <cmath>
#include <cstdio>
#include <utility>

#include "base/decimal.hpp"
#include "base/json/json_reader.hpp"

namespace base {

namespace {

constexpr int deepest = 64;

void write_text(std::string& out, std::string_view text) {
  constexpr std::string_view hexadecimal = "0123456789abcdef";
  constexpr std::string_view escaped = "\"\\\b\f\n\r\t";
  constexpr std::string_view letters = "\"\\bfnrt";  // that they are written with
  out += '"';
  while (true) {
    const auto end = utf8::find_invalid(text.begin(), text.end());
    const std::string_view valid = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    for (const char c : valid) {
      const auto code = static_cast<unsigned char>(c);
      if (const std::size_t at = escaped.find(c); at != escaped.npos) {
        out += '\\';
        out += letters[at];
      } else if (code >= 0x20) {
        out += c;
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
    if (*read_decimal(digits) == number) break;
  }
  const std::string_view text = digits;
  out += text;
  if (!whole && text.find_first_of(".e") == std::string_view::npos) out += ".0";
}

}  // namespace

Json::Json(bool flag) : kind_(Kind::boolean), flag_(flag) {}
Json::Json(double number, bool whole)
    : kind_(whole ? Kind::whole : Kind::number), number_(number) {}
Json::Json(std::string_view text) : kind_(Kind::text), text_(text) {}

Json::Json(const Json& other) = default;
Json::Json(Json&& other) noexcept = default;
Json& Json::operator=(const Json& other) = default;
Json& Json::operator=(Json&& other) noexcept = default;
Json::~Json() = default;

const Json* Json::find(std::string_view name) const {
  for (std::size_t i = names_.size(); i-- > 0;) {
    if (names_[i] == name) return &elements_[i];
  }
  return nullptr;
}

void Json::push_back(Json value) { elements_.push_back(std::move(value)); }

void Json::add(std::string_view name, Json value) {
  names_.emplace_back(name);
  push_back(std::move(value));
}

Json&& Json::with(const char* name, Json value) && {
  add(name, std::move(value));
  return std::move(*this);
}

bool Json::operator==(const Json& other) const {
  if (is_number() && other.is_number()) return number_ == other.number_;
  return kind_ == other.kind_ && flag_ == other.flag_ && text_ == other.text_ &&
         names_ == other.names_ && elements_ == other.elements_;
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
      return write_text(out, text_);
    case Kind::array:
    case Kind::object:
      break;
  }
  const bool is_list = kind_ == Kind::array;
  out += is_list ? '[' : '{';
  for (std::size_t i = 0; i < size(); ++i) {
    if (i > 0) out += ',';
    if (!is_list) {
      write_text(out, names_[i]);
      out += ':';
    }
    elements_[i].write(out);
  }
  out += is_list ? ']' : '}';
}

bool Json::read(JsonReader& reader, int depth) {
  if (reader.take('[')) {
    kind_ = Kind::array;
  } else if (reader.take('{')) {
    kind_ = Kind::object;
  } else {
    return read_single(reader);
  }
  const char end = is_array() ? ']' : '}';
  if (depth == deepest) return false;
  if (reader.take(end)) return true;
  do {
    if (is_object()) {
      if (!reader.read_text(names_.emplace_back()) || !reader.take(':')) return false;
    }
    if (!elements_.emplace_back().read(reader, depth + 1)) return false;
  } while (reader.take(','));
  return reader.take(end);
}

/// What is no array and no object.
bool Json::read_single(JsonReader& reader) {
  if (reader.take_word("null")) return true;
  flag_ = reader.take_word("true");
  if (flag_ || reader.take_word("false")) {
    kind_ = Kind::boolean;
    return true;
  }
  if (reader.at_text()) {
    kind_ = Kind::text;
    return reader.read_text(text_);
  }
  const std::string_view digits = reader.read_number();
  if (digits.empty()) return false;
  *this = Json(*read_decimal(digits), digits.find_first_of("-.eE") == std::string_view::npos);
  return std::isfinite(number_);
}

Json Json::parse(std::string_view text, std::size_t* fault) {
  Json value;
  JsonReader reader(text);
  const auto valid =
      static_cast<std::size_t>(utf8::find_invalid(text.begin(), text.end()) - text.begin());
  if (valid < text.size() || !value.read(reader, 0) || !reader.at_end()) {
    value = Json();
    value.kind_ = Kind::none;
    if (fault != nullptr) *fault = valid < text.size() ? valid : reader.place();
  }
  return value;
}

}  // namespace base
