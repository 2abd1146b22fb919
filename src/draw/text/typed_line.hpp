// A line of text that is being typed: where the caret stands in it, and which letter is where.
// ImGui's own field sets one letter after another from left to right, which is wrong for runs.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "draw/text/shaped_runs.hpp"
#include "imgui.h"

namespace draw {

/// Places are in logical pixels from the line's left end, offsets in bytes of the text (UTF-8).
class TypedLine {
 public:
  TypedLine(ImFont* font, float size, std::string_view text);

  float width() const { return width_; }
  /// The line is written from right to left.
  bool to_left() const { return to_left_; }
  /// Where the caret stands before the letter at `offset`: beside the letter that was typed last.
  float caret(std::size_t offset) const;
  /// The offset whose caret is the nearest to `x`.
  std::size_t offset_at(float x) const;
  /// Whether what is typed at `offset` grows to the left.
  bool grows_left(std::size_t offset) const;
  /// The letters between two offsets: from one place to another for each part of the line.
  std::vector<std::pair<float, float>> selected(std::size_t begin, std::size_t end) const;
  /// The word around `offset`, from its beginning to its end.
  std::pair<std::size_t, std::size_t> word(std::size_t offset) const;

 private:
  struct Part {
    std::size_t begin = 0;
    std::size_t end = 0;
    bool to_left = false;
    float x = 0.0F;
    float width = 0.0F;
  };
  float place(const Part& part, std::size_t offset) const;
  const Part* part_before(std::size_t offset) const;

  ImFont* font_;
  float size_;
  std::string text_;
  bool to_left_;
  float width_ = 0.0F;
  std::vector<Part> parts_;  ///< as they stand on the screen
};

}  // namespace draw
