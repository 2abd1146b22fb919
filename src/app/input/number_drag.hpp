// Changing numbers by dragging: one number sideways, or many mask cells with one stroke. What a
// drag means, without a pointer or a window.
#pragma once

#include <vector>

#include "document/document.hpp"
#include "stage/scene/stage.hpp"

namespace app {

/// How much a number changes for each logical pixel, where its block's numbers reach to ±range: 1,
/// 2 or 5 times a power of ten, so that about a hundred pixels are the whole range.
double drag_step(float range);

/// A number that is being dragged.
class NumberDrag {
 public:
  /// `range`: of the block at the beginning, in which the number still has its old value.
  NumberDrag(document::CellAddress cell, float value, float range)
      : cell_(cell), step_(drag_step(range)), exact_(static_cast<double>(value)) {}

  /// The pointer moved by that many logical pixels; `fine`: for a tenth of the effect. Gives the
  /// number that is meant now: on a grid of the step or of its tenth, within what an edit may have.
  float moved(float pixels, bool fine);
  const document::CellAddress& cell() const { return cell_; }

 private:
  document::CellAddress cell_;
  double step_;
  double exact_;
};

/// A stroke over the cells of a mask. The first cell decides: where it was hidden, all that are
/// touched are shown, and the other way round.
class MaskStroke {
 public:
  MaskStroke(const stage::Block& block, const stage::Hit& first, stage::Point plane);

  /// What changes on the straight way from the last point to `plane`; cells that were touched
  /// before are left out.
  std::vector<document::Edit> moved_to(const stage::Block& block, stage::Point plane);

 private:
  float value_;
  stage::Point last_;
  std::vector<bool> touched_;  // [rows, columns]
};

}  // namespace app
