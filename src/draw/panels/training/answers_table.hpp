// What a network in training answers to the sequence on screen: a column for each token.
#pragma once

#include <string_view>
#include <vector>

#include "draw/panels/panels.hpp"
#include "stage/wording/training_words.hpp"

namespace draw {

class AnswersTable {
 public:
  static constexpr float type = 12.0F;

  /// Both must outlive the table.
  AnswersTable(const Screen& screen, const std::vector<stage::TrainingWords::Asked>& sequence)
      : screen_(screen), sequence_(sequence) {}

  /// In logical pixels, with all tokens.
  float width() const { return width_of(sequence_.size()); }
  /// The last tokens of the sequence that fit, what is answered at each, and what would be right.
  void draw(ImDrawList* list, const stage::Rect& place) const;

 private:
  static std::string_view row_name(std::size_t row);
  float names_width() const;
  float column_width() const;
  float width_of(std::size_t tokens) const {
    return names_width() + static_cast<float>(tokens) * column_width();
  }

  const Screen& screen_;
  const std::vector<stage::TrainingWords::Asked>& sequence_;
};

}  // namespace draw
