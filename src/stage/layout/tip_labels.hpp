// Words at the tips of arrows that leave one point.
#pragma once

#include <string>
#include <vector>

#include "stage/figures/figure.hpp"

namespace stage {

/// Sets words beside tips, inside an area, where no other word of its own stands and as few lines
/// of the figure run as can be; nowhere if every place is taken, and quiet words not in a thicket
/// either. The most important tip comes first.
class TipLabels {
 public:
  TipLabels(const Rect& area, Point origin) : area_(area), origin_(origin) {}

  /// What the figure has of strokes must be in it.
  void put(Figure& figure, Point tip, const std::string& text, Tone tone, float size);

 private:
  bool is_free(const Rect& place) const;

  Rect area_;
  Point origin_;
  std::vector<Rect> taken_;
};

}  // namespace stage
