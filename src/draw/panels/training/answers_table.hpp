// What a network in training answers to the sequence on screen: a column for each token.
#pragma once

#include <string>
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
  /// The tokens of the sequence, what is answered at each, what would be right and, as far as the
  /// height goes, at which token each head looks most; the paler, the less. Where not all fit, the
  /// first of those that are asked nothing are left out.
  void draw(ImDrawList* list, const stage::Rect& place) const;

 private:
  /// The indices of the tokens that fit.
  std::vector<std::size_t> shown_in(float width) const;
  static std::string row_name(std::size_t row);
  std::size_t heads() const;
  float names_width() const;
  float column_width() const;
  float width_of(std::size_t tokens) const {
    return names_width() + static_cast<float>(tokens) * column_width();
  }

  const Screen& screen_;
  const std::vector<stage::TrainingWords::Asked>& sequence_;
};

}  // namespace draw
