// Reads a JSON text from front to back without building values of it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace base {

/// A position in a text that is valid UTF-8. Each function skips white space, then consumes what it
/// is named after. If something else comes next it returns false, and place() is where that begins.
class JsonReader {
 public:
  explicit JsonReader(std::string_view text) : length_(text.size()), left_(text) {}

  /// A bracket, a brace, a comma or a colon.
  bool take(char sign);
  /// null, true or false.
  bool take_word(std::string_view word);
  /// Whether a value comes next, and whether a text does. Neither is consumed.
  bool at_value();
  bool at_text();
  bool read_text(std::string& text);
  /// The characters of any number that JSON allows, even -0 and 1e999; empty if there is none.
  std::string_view read_number();
  /// True where nothing is left.
  bool at_end();

  /// How many bytes were consumed.
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
