// A sentence about something that was done invisibly, such as a copy. It goes by itself.
#pragma once

#include <optional>
#include <string>
#include <utility>

namespace draw {

class Notice {
 public:
  /// Shows a sentence instead of the one before.
  void say(std::string sentence) {
    sentence_ = std::move(sentence);
    end_.reset();
  }
  void clear() { say({}); }
  /// Empty: there is none.
  const std::string& sentence() const { return sentence_; }

  /// Called in each frame, at this time in seconds. Takes the sentence away when there was time to
  /// read it, but never while it is pointed at. Returns in how many seconds it will go; nothing if
  /// there is none, or if it waits for the pointer.
  std::optional<double> pass(double now, bool pointed) {
    constexpr double to_notice = 3.0;      // seconds
    constexpr double for_a_letter = 0.07;  // for slow readers: 14 letters a second
    if (sentence_.empty()) return std::nullopt;
    if (!end_ || pointed)
      end_ = now + to_notice + for_a_letter * static_cast<double>(sentence_.size());
    if (pointed) return std::nullopt;
    if (now < *end_) return *end_ - now;
    clear();
    return std::nullopt;
  }

 private:
  std::string sentence_;
  std::optional<double> end_;  // seconds; nothing before the first frame with it
};

}  // namespace draw
