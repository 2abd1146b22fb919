// A JSON text read from its front, piece by piece: nothing of it is kept but what the caller keeps.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace base {

/// Walks over a text that is UTF-8. Each function takes away what stands at the front, after white
/// space; where something else stands there it says so, and the place is that of the fault.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : length_(text.size()), left_(text) {}

  /// A bracket, a brace, a comma or a colon.
  bool take(char sign);
  /// null, true or false.
  bool take_word(std::string_view word);
  /// Whether what stands there begins a value, and whether that is a text.
  bool at_value();
  bool at_text();
  bool read_text(std::string& text);
  /// As it is written; empty where there is none. Any number that JSON allows: -0, 1e999.
  std::string_view read_number();
  /// True where nothing is left.
  bool at_end();

  /// Bytes that are behind.
  std::size_t place() const { return length_ - left_.size(); }

 private:
  void skip_space();
  bool next_is(std::string_view wanted);
  bool take_digits();
  bool read_escape(std::string& text);
  bool read_unit(unsigned& code);

  std::size_t length_;
  std::string_view left_;
};

}  // namespace base
