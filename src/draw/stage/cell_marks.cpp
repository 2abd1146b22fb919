#include "draw/stage/cell_marks.hpp"

#include <imgui.h>

#include <algorithm>

#include "draw/text/type.hpp"

namespace draw {

void plate_behind_infinity(stage::Point middle, float glyph, float size, float opacity,
                           const Theme& theme, ImDrawList* list) {
  list->AddRectFilled({middle.x - 1.5F * glyph, middle.y - 0.6F * size},
                      {middle.x + 1.5F * glyph, middle.y + 0.6F * size},
                      packed(theme.neutral, opacity), 3.0F);
}

void zero_by_definition_mark(const stage::Rect& cell, bool digits, const Theme& theme,
                             ImDrawList* list) {
  const float y = digits ? cell.bottom() - std::min(6.0F, cell.height * 0.15F) : cell.centre().y;
  list->AddLine({cell.x, y}, {cell.right(), y}, packed(theme.quiet), 1.0F);
}

void spoiled_mark(const stage::Rect& cell, float size, const Theme& theme, ImDrawList* list) {
  const stage::Rect r = cell.inset(1.0F);
  list->AddTriangleFilled({r.x, r.bottom() - size}, {r.x + size, r.bottom()}, {r.x, r.bottom()},
                          packed(theme.wrong));
}

}  // namespace draw
