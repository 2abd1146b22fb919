#include "lesson/steps/formula_speech.hpp"

#include <array>
#include <utility>
#include <vector>

#include "base/text.hpp"

namespace lesson {

namespace {

struct Sign {
  std::string_view sign;
  std::string_view key;  ///< of the text that says it
};

// A sign that begins with another sign comes before it.
constexpr std::array signs = {
    Sign{"−∞", "lesson.speech.minus_infinity"},
    Sign{"ᵀ", "lesson.speech.transposed"},
    Sign{"√", "lesson.speech.root"},
    Sign{"Σ", "lesson.speech.sum"},
    Sign{"·", "lesson.speech.times"},
    Sign{"×", "lesson.speech.times"},
    Sign{"−", "lesson.speech.minus"},
    Sign{"/", "lesson.speech.divided"},
    Sign{"=", "lesson.speech.equals"},
    Sign{"+", "lesson.speech.plus"},
};

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.';
}

/// How the end of a bracket is spoken: "" for indices and for contents so short that it need not
/// be.
struct Open {
  std::string function;
  std::size_t words_before = 0;
};

class Speaker {
 public:
  std::string of(std::string_view formula) {
    while (!formula.empty()) formula.remove_prefix(take(formula));
    return text_;
  }

 private:
  /// How many bytes were consumed.
  std::size_t take(std::string_view rest) {
    // A bracket after a name holds indices; another one, a list.
    const bool after_name = std::exchange(after_name_, is_letter(rest.front()));
    if (after_name_) return name(rest);
    for (const Sign& sign : signs) {
      if (!rest.starts_with(sign.sign)) continue;
      // A dot as an index, all of an axis: "[i, ·]".
      const bool all = sign.sign == "·" && rest.substr(sign.sign.size()).starts_with("]");
      say(base::text(all ? "lesson.speech.all" : sign.key));
      return sign.sign.size();
    }
    switch (rest.front()) {
      case '(':
        say(base::text("lesson.speech.of"));
        open_.push_back({last_name_, words_});
        return 1;
      case ')':
        close();
        return 1;
      case '[':
        if (after_name) say(base::text("lesson.speech.at"));
        return 1;
      case ',':
      case ':':
        pause();
        return 1;
      default:
        return 1;  // a space, or the end of indices
    }
  }

  std::size_t name(std::string_view rest) {
    std::size_t length = 0;
    while (length < rest.size() && is_letter(rest[length])) ++length;
    last_name_ = std::string(rest.substr(0, length));
    for (char& c : last_name_) {
      if (c == '_') c = ' ';
    }
    if (last_name_ == "exp") last_name_ = base::text("lesson.speech.exponential");
    say(last_name_);
    return length;
  }

  void close() {
    if (open_.empty()) return;
    // The end need not be spoken after a single name, or at the end of the formula.
    if (words_ > open_.back().words_before + 1 && !open_.back().function.empty()) {
      pause();
      say(base::text("lesson.speech.end", {{"function", open_.back().function}}));
      pause();
    }
    open_.pop_back();
  }

  void say(std::string_view words) {
    if (!text_.empty()) text_ += pause_ ? ", " : " ";
    pause_ = false;
    text_ += words;
    ++words_;
  }

  void pause() { pause_ = true; }

  std::string text_;
  std::string last_name_;
  bool after_name_ = false;
  std::vector<Open> open_;
  std::size_t words_ = 0;
  bool pause_ = false;
};

}  // namespace

std::string spoken(std::string_view formula) { return Speaker().of(formula); }

}  // namespace lesson
