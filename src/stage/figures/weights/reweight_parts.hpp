// The layout of the figure for the weighted sum, and its bars.
#pragma once

#include "stage/figures/row_table.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/scene/drawing.hpp"

namespace stage::reweight {

inline constexpr float sign_width = 24.0F;

/// Where everything stands, in logical pixels.
struct Places {
  Rect all;
  float left = 0.0F;  ///< left end of tokens and words
  KeyRows rows;       ///< one for each key; if not all fit, those with the largest weights
  float labels = 0.0F;
  float bars = 0.0F;  ///< left end of the bars
  float bar_length = 0.0F;
  float values = 0.0F;  ///< left end of the columns
  float column = 0.0F;  ///< width of one column
  std::size_t first = 0;
  std::size_t columns = 0;
  Rect lane;   ///< where a row is multiplied by its weight
  Rect stack;  ///< where the products pile up
  float sums = 0.0F;
  Rect output;

  /// Whether the columns have numbers, and the top of the captions above those.
  bool numbered() const { return rows.top - all.y > caption_height + 20.0F; }
  float captions() const { return rows.top - 6.0F - (numbered() ? 16.0F : 0.0F) - caption_height; }
  Rect column_of(std::size_t place, const Rect& row) const {
    return {values + column * static_cast<float>(place), row.y, column, row.height};
  }
  /// The keys that are added one by one, plus one turn for all others together.
  std::size_t turns() const { return rows.keys.size() + (rows.left_out > 0 ? 1 : 0); }
};

/// The weights of the keys that have a row, as bars that can be dragged. Those of the first `added`
/// keys, which are in the sum already, stand out.
void put_bars(Figure& figure, const QueryRow& row, const Places& places, std::size_t added);

/// How a row of weights is set by hand, and the button that then computes it again; left of the
/// stacks.
void put_by_hand(Figure& figure, const QueryRow& row, const Places& places);

}  // namespace stage::reweight
