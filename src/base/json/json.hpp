// JSON values. (json_reader.hpp reads texts that are too long to hold as values.) Written here to
// keep the page's download small: 3 kB, where RapidJSON would add 12 and nlohmann/json 20.
#pragma once

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace base {

class JsonReader;

/// A JSON value. Objects keep the order of their members; a later member of the same name counts.
/// Nothing here throws.
class Json {
 public:
  Json() = default;  ///< null
  // NOLINTBEGIN(google-explicit-constructor): numbers, texts and lists are values as they are
  Json(std::nullptr_t) {}
  Json(bool flag);
  Json(double number) : Json(number, false) {}  ///< NaN and ±∞ are written as null
  template <std::integral T>
  requires(!std::same_as<T, bool>) Json(T number)
      : Json(static_cast<double>(number), number >= 0) {}
  Json(std::string_view text);
  Json(const char* text) : Json(std::string_view(text)) {}
  Json(const std::string& text) : Json(std::string_view(text)) {}
  template <typename T>
  Json(const std::vector<T>& values) : Json(array()) {
    for (const T& value : values) push_back(value);
  }
  // NOLINTEND(google-explicit-constructor)
  // Not inline, as `with` is not: inlined at hundreds of calls, they would enlarge the download.
  Json(const Json& other);
  Json(Json&& other) noexcept;
  Json& operator=(const Json& other);
  Json& operator=(Json&& other) noexcept;
  ~Json();

  static Json array() { return Json(Kind::array); }
  static Json object() { return Json(Kind::object); }
  /// Strict, at most 64 levels deep. If `text` is no JSON, is_valid of the result is false, and
  /// `fault`, if it is wanted, is where that shows: a number of bytes.
  static Json parse(std::string_view text, std::size_t* fault = nullptr);

  bool is_valid() const { return kind_ != Kind::none; }
  bool is_null() const { return kind_ == Kind::null; }
  bool is_number() const { return kind_ == Kind::whole || kind_ == Kind::number; }
  /// Written without sign, point and exponent, or made of an integer that is not negative.
  bool is_whole() const { return kind_ == Kind::whole; }
  bool is_array() const { return kind_ == Kind::array; }
  bool is_object() const { return kind_ == Kind::object; }

  const bool* boolean() const { return kind_ == Kind::boolean ? &flag_ : nullptr; }
  const std::string* text() const { return kind_ == Kind::text ? &text_ : nullptr; }
  /// Of a number only.
  double number() const { return number_; }

  /// Of arrays and objects, else 0.
  std::size_t size() const { return elements_.size(); }
  bool empty() const { return size() == 0; }
  /// What is in an array, or the values of an object's members.
  std::span<const Json> elements() const { return elements_; }
  /// Of an object: the names of its members, in the order of `elements`.
  std::span<const std::string> names() const { return names_; }
  /// A member of an object; null where there is none, or no object.
  const Json* find(std::string_view name) const;

  /// Of arrays only.
  void push_back(Json value);
  /// Adds a member to an object, even if it has one of that name.
  void add(std::string_view name, Json value);
  /// The same, to make an object in one expression.
  Json&& with(const char* name, Json value) &&;

  /// As one line. Numbers read back as the same double; bytes that are not UTF-8 become U+FFFD.
  std::string dump() const;

  /// 1 equals 1.0; objects with the same members in another order differ.
  bool operator==(const Json& other) const;

 private:
  enum class Kind : unsigned char { none, null, boolean, whole, number, text, array, object };

  explicit Json(Kind kind) : kind_(kind) {}
  Json(double number, bool whole);
  void write(std::string& out) const;
  bool read(JsonReader& reader, int depth);
  bool read_single(JsonReader& reader);

  Kind kind_ = Kind::null;
  bool flag_ = false;
  double number_ = 0.0;
  std::string text_;
  std::vector<std::string> names_;
  std::vector<Json> elements_;
};

}  // namespace base
