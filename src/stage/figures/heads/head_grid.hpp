// Where the maps of all heads stand.
#pragma once

#include <algorithm>
#include <cstddef>

#include "stage/layout/geometry.hpp"

namespace stage {

inline constexpr float kind_heading = 22.0F;  ///< over the maps of one kind
inline constexpr float heads_line = 20.0F;    ///< over all: the numbers of the heads

/// Every head's map has one place: layers below each other, heads side by side, in `lines` lines
/// where there is more height than width. Each head then has its number beside its map, and needs
/// no line over all.
struct HeadGrid {
  static constexpr float margin = 20.0F;            ///< for the numbers of the layers
  static constexpr float label_room = 42.0F;        ///< beside a map
  static constexpr float small_label_room = 38.0F;  ///< where layers have several lines
  static constexpr float label_height = 30.0F;      ///< below it
  static constexpr float over_map = 3.0F;           ///< for the bar in its head's hue

  Rect place;
  std::size_t lines = 1;  ///< of each layer
  std::size_t heads_in_line = 1;
  float column = 0.0F;  ///< its width
  float row = 0.0F;     ///< the height of a line
  float layer = 0.0F;   ///< the height of a layer
  float side = 0.0F;    ///< of a map
  bool labels = false;  ///< beside the maps
  bool under = false;   ///< below the maps, where they have more height than width

  HeadGrid(const Rect& given, std::size_t heads, std::size_t layers, std::size_t grids,
           std::size_t lines_of_layer)
      : place(given), lines(lines_of_layer), heads_in_line((heads + lines - 1) / lines) {
    column = (place.width - margin) / static_cast<float>(heads_in_line);
    const float headings = (lines > 1 ? 0.0F : heads_line) +
                           (grids > 1 ? kind_heading * static_cast<float>(grids) : 0.0F);
    const float between = lines > 1 ? 6.0F : 0.0F;  // layers
    const float most = (place.height - headings) / static_cast<float>(layers * grids) - between;
    row = std::min(most / static_cast<float>(lines), 76.0F);
    layer = row * static_cast<float>(lines) + between;
    side = std::min(row - 4.0F, column - (lines > 1 ? small_label_room : label_room));
    labels = side >= 22.0F;
    if (!labels) side = std::min(row - over_map, column) - 4.0F;
    under = !labels && column >= 38.0F && row >= side + label_height + 6.0F;
  }
  /// `top`: of its layer.
  Rect map(std::size_t head, float top) const {
    const float over = under ? 2.0F : (row - side + (labels ? 0.0F : over_map)) / 2.0F;
    return {place.x + margin + column * static_cast<float>(head % heads_in_line),
            top + row * static_cast<float>(head / heads_in_line) + over, side, side};
  }
};

}  // namespace stage
