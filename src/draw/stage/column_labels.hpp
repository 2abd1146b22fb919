// The names over the columns of a matrix, upright where columns are narrower than words, and ticks
// over columns that are narrower than letters.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "draw/stage/paint.hpp"

namespace draw {

class ColumnLabels {
 public:
  /// The labels or ticks of `block`, whose cells are at `cells` on the screen, in type of `size`.
  /// Those that are visible in `viewport` are added to `texts`. All lengths are logical pixels.
  ColumnLabels(const stage::Block& block, const stage::Rect& cells, const stage::Rect& viewport,
               const Type& type, float size, ImU32 colour, ImDrawList* list,
               std::vector<DrawnText>& texts);

  /// Whether level names tell the columns apart: wider ones have room for a word's beginning,
  /// narrower ones for names of a letter or two, but for no beginnings.
  bool fit() const;
  /// Each over the middle of its column, with its index if all have room for theirs.
  void put_level() const;
  /// At most `room` high.
  void put_upright(float room) const;
  /// The name of the column `named`, and the indices of so many others as fit beside it.
  void put_ticks(std::optional<std::size_t> named) const;

 private:
  bool have_room(float beside) const;
  float middle(std::size_t column) const {
    return cells_.x + column_width_ * (static_cast<float>(column) + 0.5F);
  }
  std::string index(std::size_t column) const;
  /// Over the middle of the column, but within the matrix.
  stage::Rect over(std::size_t column, const stage::Point& extent) const;
  bool says_nothing(const std::vector<std::string>& labels) const;
  /// The columns' places, where their names have no room.
  void put_numbers(float size) const;
  void put(ImFont* font, float size, const stage::Rect& place, const std::string& text,
           const char* kind, bool upright) const;

  const stage::Block& block_;
  stage::Rect cells_;
  stage::Rect viewport_;
  const Type& type_;
  float size_;
  ImU32 colour_;
  ImDrawList* list_;
  std::vector<DrawnText>& texts_;
  std::vector<std::string> names_;
  float column_width_;
};

/// The key whose column has the focus, if a matrix of keys has it.
std::optional<std::size_t> key_in_focus(const Scene& scene, const stage::Stage& stage);

}  // namespace draw
