#include "draw/stage/upright_labels.hpp"

namespace draw {

void put_upright_labels(const stage::Block& block, const stage::Rect& cells,
                        const stage::Rect& viewport, float room, ImFont* font, float size,
                        ImU32 colour, ImDrawList* list, std::vector<DrawnText>& texts) {
  const float column_width = cells.width / static_cast<float>(block.columns());
  const float bottom = cells.y - 7.0F;  // above the bar in the head's hue
  const std::vector<std::string> labels =
      shortened_apart(font, size, block.column_labels.words(), room);
  for (std::size_t column = 0; column < labels.size(); ++column) {
    const stage::Point extent = measure(font, size, labels[column]);
    const float x = cells.x + column_width * (static_cast<float>(column) + 0.5F);
    const stage::Rect place{x - extent.y / 2.0F, bottom - extent.x, extent.y, extent.x};
    if (labels[column].empty() || !place.overlaps(viewport)) continue;
    set_upright(list, font, size, {x, bottom}, colour, labels[column]);
    texts.push_back({place, labels[column], "column label", std::nullopt, std::nullopt, font, size,
                     colour, true});
  }
}

}  // namespace draw
