// Where the maps of all heads stand.
#pragma once

#include <algorithm>
#include <cstddef>

#include "stage/layout/geometry.hpp"

namespace stage {

inline constexpr float kind_heading = 22.0F;  ///< over the maps of one kind
inline constexpr float heads_line = 20.0F;    ///< over all: the numbers of the heads

/// Every head's map has one place: layers below each other, heads side by side.
struct HeadGrid {
  static constexpr float margin = 20.0F;        ///< for the numbers of the layers
  static constexpr float label_room = 42.0F;    ///< beside a map
  static constexpr float label_height = 30.0F;  ///< below it

  Rect place;
  float column = 0.0F;  ///< its width
  float row = 0.0F;     ///< its height
  float side = 0.0F;    ///< of a map
  bool labels = false;  ///< beside the maps
  bool under = false;   ///< below the maps, where they have more height than width

  HeadGrid(const Rect& given, std::size_t heads, std::size_t layers, std::size_t grids)
      : place(given) {
    column = (place.width - margin) / static_cast<float>(heads);
    const float headings =
        heads_line + (grids > 1 ? kind_heading * static_cast<float>(grids) : 0.0F);
    row = std::min((place.height - headings) / static_cast<float>(layers * grids), 76.0F);
    side = std::min(row - 4.0F, column - label_room);
    labels = side >= 22.0F;
    if (!labels) side = std::min(row, column) - 4.0F;
    under = !labels && column >= 38.0F && row >= side + label_height + 6.0F;
  }
  Rect map(std::size_t head, float top) const {
    const float over = under ? 2.0F : (row - side) / 2.0F;
    return {place.x + margin + column * static_cast<float>(head), top + over, side, side};
  }
};

}  // namespace stage
