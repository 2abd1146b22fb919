// Where everything of the weighted sum stands, and its weights.
#pragma once

#include "stage/figures/row_table.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/scene/drawing.hpp"

namespace stage::reweight {

inline constexpr float sign_width = 24.0F;

/// Everything's place.
struct Places {
  Rect all;
  float left = 0.0F;  ///< where tokens and words begin
  KeyRows rows;       ///< a row a key, the largest weights where not all have room
  float labels = 0.0F;
  float bars = 0.0F;  ///< left end of the bars
  float bar_length = 0.0F;
  float values = 0.0F;  ///< left end of the columns
  float column = 0.0F;  ///< width of one
  std::size_t first = 0;
  std::size_t columns = 0;
  Rect lane;   ///< where a row is scaled
  Rect stack;  ///< where products pile up
  float sums = 0.0F;
  Rect output;

  /// Over the rows: the columns' numbers, where there is room, and the captions over those.
  bool numbered() const { return rows.top - all.y > caption_height + 20.0F; }
  float captions() const { return rows.top - 6.0F - (numbered() ? 16.0F : 0.0F) - caption_height; }
  Rect column_of(std::size_t place, const Rect& row) const {
    return {values + column * static_cast<float>(place), row.y, column, row.height};
  }
  /// The keys that are added, and all others together as one more.
  std::size_t turns() const { return rows.keys.size() + (rows.left_out > 0 ? 1 : 0); }
};

/// The weights of the keys that have a row, as bars that can be dragged; those of the keys that
/// have been added are strong.
void put_bars(Figure& figure, const QueryRow& row, const Places& places, std::size_t added);

/// How a row of weights that was set by hand is computed again: left of the stacks.
void put_recompute(Figure& figure, const QueryRow& row, const Places& places);

}  // namespace stage::reweight
