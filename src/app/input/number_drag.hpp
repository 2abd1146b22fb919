// The arithmetic of dragging: one number sideways, or many mask cells with one stroke.
#pragma once

#include <vector>

#include "document/document.hpp"
#include "stage/scene/stage.hpp"

namespace app {

/// How much a number changes per logical pixel: 1, 2 or 5 times a power of ten, so that about a
/// hundred pixels are `range`, the largest magnitude in its block.
double drag_step(float range);

/// A number that is being dragged.
class NumberDrag {
 public:
  /// `range`: that of the block when the drag begins.
  NumberDrag(document::CellAddress cell, float value, float range)
      : cell_(cell), step_(drag_step(range)), exact_(static_cast<double>(value)) {}

  /// Moves the pointer by `pixels`, logical ones; `fine`: with a tenth of the effect. Returns the
  /// new number, rounded to the step (or a tenth of it) and within the limits of an edit.
  float moved(float pixels, bool fine);
  const document::CellAddress& cell() const { return cell_; }

 private:
  document::CellAddress cell_;
  double step_;
  double exact_;
};

/// A stroke over the cells of a mask. If the first cell is hidden, it shows all cells that it
/// touches; else it hides them.
class MaskStroke {
 public:
  MaskStroke(const stage::Block& block, const stage::Hit& first, stage::Point plane);

  /// Edits of the cells on the line from the last point to `plane` that were not touched before.
  std::vector<document::Edit> moved_to(const stage::Block& block, stage::Point plane);

 private:
  float value_;
  stage::Point last_;
  std::vector<bool> touched_;  // [rows, columns]
};

}  // namespace app
