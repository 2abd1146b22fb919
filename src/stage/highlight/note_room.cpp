#include "stage/highlight/note_room.hpp"

#include <algorithm>

namespace stage {

float note_limit(const Stage& stage, const Group& group) {
  constexpr float apart = 8.0F;
  float right = stage.bounds.right();
  const auto keep_off = [&](const Rect& other) {
    const bool beside = other.y < group.caption.bottom() && group.caption.y < other.bottom() &&
                        other.x > group.caption.x;
    if (beside) right = std::min(right, other.x - apart);
  };
  for (const Group& other : stage.groups) {
    if (!other.title.empty() && !other.in_figure) keep_off(other.caption);
  }
  for (const Figure& figure : stage.figures) {
    if (!figure.of_matrices) keep_off(figure.bounds);
  }
  return right;
}

}  // namespace stage
