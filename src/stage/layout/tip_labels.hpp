// Labels at the tips of arrows that leave one point.
#pragma once

#include <string>
#include <vector>

#include "stage/figures/figure.hpp"

namespace stage {

/// Places labels beside tips, inside an area. A label never covers an earlier one and covers as few
/// lines of the figure as possible. It is left out if there is no free place or, for quiet words,
/// if too many lines would run through it. The most important tips should therefore come first.
class TipLabels {
 public:
  TipLabels(const Rect& area, Point origin) : area_(area), origin_(origin) {}

  /// The figure must already contain its strokes.
  void put(Figure& figure, Point tip, const std::string& text, Tone tone, float size);

 private:
  bool is_free(const Rect& place) const;

  Rect area_;
  Point origin_;
  std::vector<Rect> taken_;
};

}  // namespace stage
