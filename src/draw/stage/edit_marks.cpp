#include "draw/stage/edit_marks.hpp"

#include <algorithm>

namespace draw {

namespace {

/// Restricts drawing to the viewport while it exists.
class Clipped {
 public:
  Clipped(ImDrawList* list, const stage::Rect& to) : list_(list) {
    list_->PushClipRect({to.x, to.y}, {to.right(), to.bottom()}, true);
  }
  ~Clipped() { list_->PopClipRect(); }
  Clipped(const Clipped&) = delete;
  Clipped& operator=(const Clipped&) = delete;

 private:
  ImDrawList* list_;
};

}  // namespace

void flash(const Seen& seen, std::span<const stage::CellRange> changed, float t, ImDrawList* list) {
  if (t >= 1.0F) return;
  const Clipped clipped(list, seen.viewport);
  const float left = (1.0F - t) * (1.0F - t);
  for (const stage::CellRange& range : changed) {
    if (range.block >= seen.stage.blocks.size()) continue;
    if (!seen.stage.blocks[range.block].is_shown(range.first_row, range.first_column)) continue;
    const stage::Rect place =
        seen.camera.to_screen(stage::bounds_of(seen.stage, range), seen.viewport);
    if (!place.overlaps(seen.viewport)) continue;
    const ImVec2 low{place.x, place.y};
    const ImVec2 high{place.right(), place.bottom()};
    list->AddRectFilled(low, high, packed(seen.theme.accent, 0.16F * left), 3.0F);
    list->AddRect(low, high, packed(seen.theme.accent, 0.7F * left), 3.0F, 0, 1.5F);
  }
}

void edited_mark(const stage::Rect& cell, const Theme& theme, ImDrawList* list) {
  const float size = std::clamp(std::min(cell.width, cell.height) * 0.28F, 2.0F, 9.0F);
  list->AddTriangleFilled({cell.right() - size, cell.y}, {cell.right(), cell.y},
                          {cell.right(), cell.y + size}, packed(theme.accent));
}

void changed_mark(const stage::Rect& cell, const Theme& theme, ImDrawList* list) {
  const float room = std::min(cell.width, cell.height);
  if (room < 6.0F) return;
  const float size = std::clamp(room * 0.22F, 2.5F, 8.0F);
  const ImVec2 corner{cell.right() - 1.0F, cell.y + 1.0F};
  const ImVec2 left{corner.x - size, corner.y};
  const ImVec2 below{corner.x, corner.y + size};
  list->AddTriangleFilled(left, corner, below, packed(theme.surface));
  list->AddTriangle(left, corner, below, packed(theme.accent), 1.0F);
}

void target_mark(const stage::Rect& cell, const Theme& theme, ImDrawList* list) {
  const float radius = std::clamp(std::min(cell.width, cell.height) * 0.13F, 1.5F, 5.0F);
  const ImVec2 centre{cell.right() - radius - 2.0F, cell.y + radius + 2.0F};
  list->AddCircleFilled(centre, radius + 1.0F, packed(theme.surface));
  list->AddCircle(centre, radius, packed(theme.accent), 0, 1.5F);
  list->AddCircleFilled(centre, radius * 0.4F, packed(theme.accent));
}

void drag_handles(const Seen& seen, const stage::Hit& cell, ImDrawList* list) {
  if (cell.block >= seen.stage.blocks.size()) return;
  const Clipped clipped(list, seen.viewport);
  const stage::Block& block = seen.stage.blocks[cell.block];
  const stage::Rect place = seen.camera.to_screen(block.cell(cell.row, cell.column), seen.viewport);
  // They would hide smaller cells; the pointer's shape says that these can be dragged, too.
  constexpr float least_side = 16.0F;
  if (std::min(place.width, place.height) < least_side) return;
  constexpr float gap = 5.0F;
  constexpr float length = 5.0F;
  // Below the line of the neighbours' digits: at the lower edge, where the cells are low.
  constexpr float least_height = 30.0F;
  const bool low = place.height < least_height;
  const float half = low ? 3.0F : 4.5F;
  const float y = low ? place.bottom() : place.bottom() - half - 3.0F;
  const auto tip = [&](float x, float way) {
    // An edge that is seen on any colour.
    list->AddTriangleFilled({x - way * 2.0F, y - half - 2.5F}, {x - way * 2.0F, y + half + 2.5F},
                            {x + way * (length + 2.5F), y}, packed(seen.theme.surface));
    list->AddTriangleFilled({x, y - half}, {x, y + half}, {x + way * length, y},
                            packed(seen.theme.accent));
  };
  // Beside the first column stands the row's label.
  const bool labelled = cell.column == 0 && block.show_row_labels;
  if (!labelled) tip(place.x - gap, -1.0F);
  tip(place.right() + gap, 1.0F);
}

}  // namespace draw
