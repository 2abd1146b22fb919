// The sentences and words that readers see. Code names them by key; what they say is in
// src/texts/LANGUAGE, one JSON file a room: "room.topic.name": "text with {placeholders}".
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "base/error.hpp"

namespace base {

/// What stands in a text in the place of {name}. Nothing of it is inline: there are hundreds of
/// calls, and each would enlarge the download.
struct Placeholder {
  std::string_view name;
  std::string value;

  Placeholder(std::string_view placeholder, std::string_view said);
  Placeholder(std::string_view placeholder, const char* said);
  Placeholder(std::string_view placeholder, const std::string& said);
  template <std::integral T>
  requires(!std::same_as<T, bool> && !std::same_as<T, char>)
      Placeholder(std::string_view placeholder, T number)
      : Placeholder(placeholder, static_cast<Widest<T>>(number), Number()) {}
  Placeholder(const Placeholder& other) = delete;
  Placeholder& operator=(const Placeholder& other) = delete;
  ~Placeholder();

 private:
  struct Number {};
  template <typename T>
  using Widest = std::conditional_t<std::is_signed_v<T>, long long, unsigned long long>;
  Placeholder(std::string_view placeholder, long long number, Number);
  Placeholder(std::string_view placeholder, unsigned long long number, Number);
};

/// Lays the texts of another language over the English ones: a JSON object of keys and texts. What
/// it lacks is said in English; what it has besides is not used. To be called before the texts are
/// shown: those that were read already stay as they are. Errors: no such object.
Result<void> use_language(std::string_view json);

/// The text of a key in the reader's language; the key itself if there is none, which tests/lint
/// does not let happen. Stays valid until the program ends, or another language is used.
std::string_view text(std::string_view key);

/// Likewise; nothing if there is none.
std::optional<std::string_view> text_if_any(std::string_view key);

/// The same with its placeholders replaced: text("stage.mask.hidden", {{"count", 3}}). What is put
/// in is not searched for placeholders again; a placeholder that is not among `values` stays.
std::string text(std::string_view key, std::initializer_list<Placeholder> values);

/// A text that depends on a number: that of `key`.one if `count` is 1, else that of `key`.other,
/// with {count} and `values` put in.
std::string counted_text(std::string_view key, std::size_t count,
                         std::initializer_list<Placeholder> values = {});

}  // namespace base
