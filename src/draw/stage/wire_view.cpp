#include "draw/stage/wire_view.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace draw {

namespace {

/// A line with rounded corners.
void rounded_line(ImDrawList* list, const std::vector<ImVec2>& corners) {
  constexpr float radius = 5.0F;
  list->PathLineTo(corners.front());
  for (std::size_t i = 1; i + 1 < corners.size(); ++i) {
    const auto towards = [&](const ImVec2& other) {
      const float dx = other.x - corners[i].x;
      const float dy = other.y - corners[i].y;
      const float length = std::max(0.01F, std::hypot(dx, dy));
      const float step = std::min(radius, length / 2.0F) / length;
      return ImVec2{corners[i].x + dx * step, corners[i].y + dy * step};
    };
    list->PathLineTo(towards(corners[i - 1]));
    list->PathBezierQuadraticCurveTo(corners[i], towards(corners[i + 1]), 6);
  }
  list->PathLineTo(corners.back());
}

/// The tip of a line whose last stretch comes from `before`.
void arrowhead(ImDrawList* list, const ImVec2& tip, const ImVec2& before, float zoom,
               ImU32 colour) {
  const float length = std::hypot(tip.x - before.x, tip.y - before.y);
  if (length < 1.0F) return;
  const float size = std::clamp(6.0F * zoom, 4.0F, 9.0F);
  const ImVec2 back{(before.x - tip.x) / length * size, (before.y - tip.y) / length * size};
  list->AddTriangleFilled(tip, {tip.x + back.x - back.y * 0.5F, tip.y + back.y + back.x * 0.5F},
                          {tip.x + back.x + back.y * 0.5F, tip.y + back.y - back.x * 0.5F}, colour);
}

}  // namespace

void draw_wire(ImDrawList* list, std::vector<ImVec2> points, bool curved, float zoom,
               ImU32 colour) {
  // End the line before the tip, which is narrower than the line is wide.
  const ImVec2 tip = points.back();
  const ImVec2 before = points[points.size() - 2];
  const float last = std::hypot(tip.x - before.x, tip.y - before.y);
  const float less = std::min(2.0F, last / 2.0F) / std::max(1.0F, last);
  points.back() = {tip.x + (before.x - tip.x) * less, tip.y + (before.y - tip.y) * less};
  if (curved) {
    list->PathLineTo(points[0]);
    list->PathBezierCubicCurveTo(points[1], points[2], points[3]);
  } else {
    rounded_line(list, points);
  }
  list->PathStroke(colour, ImDrawFlags_None, 1.25F);
  arrowhead(list, tip, before, zoom, colour);
}

}  // namespace draw
