#include "draw/stage/figure_view.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace draw {

using stage::Point;
using stage::Rect;

namespace {

constexpr float smallest_type = 7.5F;

class Brush {
 public:
  Brush(const stage::Camera& camera, const Rect& viewport, const Theme& theme, const Type& type,
        ImDrawList* list, std::vector<DrawnText>& texts)
      : camera_(camera),
        viewport_(viewport),
        theme_(theme),
        type_(type),
        list_(list),
        texts_(texts) {}

  void draw(const stage::Figure& figure) {
    opacity_ = figure.opacity;
    for (const stage::Patch& patch : figure.patches) fill(patch);
    for (const stage::Band& band : figure.bands) fill(band);
    for (const stage::Bar& bar : figure.bars) fill(bar);
    for (const stage::Stroke& stroke : figure.strokes) trace(stroke);
    for (const stage::Words& words : figure.words) {
      if (!words.plate) write(words);
    }
  }

  void draw_plates(const stage::Figure& figure) {
    opacity_ = figure.opacity;
    for (const stage::Words& words : figure.words) {
      if (words.plate) write(words);
    }
  }

 private:
  Rect on_screen(const Rect& plane) const { return camera_.to_screen(plane, viewport_); }
  ImVec2 on_screen(Point plane) const { return vec(camera_.to_screen(plane, viewport_)); }

  Rgb colour_of(stage::Tone tone, std::optional<std::size_t> head) const {
    if (tone == stage::Tone::head) return theme_.head(head.value_or(0));
    const std::array colours = {theme_.text,   theme_.text,    theme_.quiet, theme_.line,
                                theme_.accent, theme_.text,    theme_.page,  theme_.positive,
                                theme_.wrong,  theme_.negative};
    return colours[static_cast<std::size_t>(tone)];
  }

  void fill(const stage::Patch& patch) {
    const Rect r = on_screen(patch.place);
    const Rgb colour{static_cast<float>(patch.red) / 255.0F,
                     static_cast<float>(patch.green) / 255.0F,
                     static_cast<float>(patch.blue) / 255.0F};
    list_->AddRectFilled({r.x, r.y}, {r.right(), r.bottom()},
                         packed(colour, patch.opacity * opacity_));
  }

  void fill(const stage::Bar& bar) {
    const Rect r = on_screen(bar.place);
    if (!r.overlaps(viewport_)) return;
    const float radius = std::min({3.0F, r.width / 4.0F, r.height / 4.0F});
    list_->AddRectFilled({r.x, r.y}, {r.right(), r.bottom()},
                         packed(colour_of(bar.tone, bar.head), bar.opacity * opacity_), radius);
  }

  void fill(const stage::Band& band) {
    constexpr int steps = 24;
    if (band.drawn <= 0.0F) return;
    const auto at = [&](int step, std::size_t side) {
      const float t = band.drawn * static_cast<float>(step) / static_cast<float>(steps);
      const float across = t * t * (3.0F - 2.0F * t);
      return on_screen(Point{band.upper[side] + (band.lower[side] - band.upper[side]) * across,
                             band.top + (band.bottom - band.top) * t});
    };
    // With smooth edges, the seams between the pieces would be visible.
    const ImDrawListFlags flags = list_->Flags;
    list_->Flags &= ~ImDrawListFlags_AntiAliasedFill;
    const ImU32 colour = packed(colour_of(band.tone, band.head), band.opacity * opacity_);
    for (int step = 0; step < steps; ++step)
      list_->AddQuadFilled(at(step, 0), at(step, 1), at(step + 1, 1), at(step + 1, 0), colour);
    list_->Flags = flags;
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      for (int step = 0; step <= steps; ++step) list_->PathLineTo(at(step, side));
      list_->PathStroke(colour, ImDrawFlags_None, 1.0F);
    }
  }

  void trace(const stage::Stroke& stroke) {
    if (stroke.points.size() < 2) return;
    const ImU32 colour = packed(colour_of(stroke.tone, stroke.head), stroke.opacity * opacity_);
    const float width = std::max(0.75F, stroke.width * std::min(camera_.zoom, 1.5F));
    std::vector<ImVec2> points;
    for (const Point& point : stroke.points) points.push_back(on_screen(point));
    if (stroke.curved && points.size() == 4) {
      list_->AddBezierCubic(points[0], points[1], points[2], points[3], colour, width);
    } else if (stroke.dashed) {
      for (std::size_t i = 0; i + 1 < points.size(); ++i)
        dash(points[i], points[i + 1], colour, width);
    } else {
      list_->AddPolyline(points.data(), static_cast<int>(points.size()), colour, ImDrawFlags_None,
                         width);
    }
    if (stroke.arrow) tip(points[points.size() - 2], points.back(), colour, width);
  }

  void dash(ImVec2 from, ImVec2 to, ImU32 colour, float width) {
    constexpr float on = 4.0F;
    constexpr float off = 3.0F;
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    // Not worth its dashes: such a line leaves the screen by far.
    if (length < 0.5F || length > 10'000.0F) return;
    const int dashes = static_cast<int>(std::ceil(length / (on + off)));
    for (int i = 0; i < dashes; ++i) {
      const float t = static_cast<float>(i) * (on + off);
      const float a = t / length;
      const float b = std::min(1.0F, (t + on) / length);
      list_->AddLine({from.x + (to.x - from.x) * a, from.y + (to.y - from.y) * a},
                     {from.x + (to.x - from.x) * b, from.y + (to.y - from.y) * b}, colour, width);
    }
  }

  void tip(ImVec2 from, ImVec2 to, ImU32 colour, float width) {
    const float length = std::hypot(to.x - from.x, to.y - from.y);
    if (length < 1.0F) return;
    const float size = std::min(4.0F + width * 2.0F, length);
    const ImVec2 along{(to.x - from.x) / length, (to.y - from.y) / length};
    const ImVec2 base{to.x - along.x * size, to.y - along.y * size};
    const float half = size * 0.5F;
    list_->AddTriangleFilled(to, {base.x - along.y * half, base.y + along.x * half},
                             {base.x + along.y * half, base.y - along.x * half}, colour);
  }

  void write(const stage::Words& words) {
    const float size = words.size * std::min(camera_.zoom, 1.25F);
    if (words.text.empty() || size < smallest_type) return;
    const bool strong = words.tone == stage::Tone::strong;
    ImFont* font = words.number ? (strong ? type_.strong_numbers : type_.numbers)
                                : (strong ? type_.strong : type_.words);
    const Point at = camera_.to_screen(words.at, viewport_);
    const float width =
        words.formula ? formula_width(font, size, words.text) : measure(font, size, words.text).x;
    Rect place{at.x, at.y - size / 2.0F, width, size};
    if (words.side == stage::Side::centre) place.x -= width / 2.0F;
    if (words.side == stage::Side::right) place.x -= width;
    if (!place.overlaps(viewport_)) return;
    if (words.plate) {
      const Rect plate = place.inset(-2.0F);
      list_->AddRectFilled({plate.x - 1.0F, plate.y}, {plate.right() + 1.0F, plate.bottom()},
                           packed(theme_.page, plate_opacity * opacity_), 3.0F);
    }
    const ImU32 colour = packed(colour_of(words.tone, words.head), opacity_);
    if (words.formula) {
      set_formula(list_, font, size, {place.x, at.y}, colour, words.text);
    } else {
      set_text(list_, font, size, {place.x, at.y}, Align::left, colour, words.text);
    }
    texts_.push_back({place, words.text, "figure", std::nullopt, words.cell, font, size, colour});
  }

  const stage::Camera& camera_;
  const Rect& viewport_;
  const Theme& theme_;
  const Type& type_;
  ImDrawList* list_;
  std::vector<DrawnText>& texts_;
  float opacity_ = 1.0F;  // of the current figure
};

}  // namespace

void draw_figures(const stage::Stage& stage, const stage::Camera& camera, const Rect& viewport,
                  const Theme& theme, const Type& type, ImDrawList* list,
                  std::vector<DrawnText>& texts) {
  Brush brush(camera, viewport, theme, type, list, texts);
  for (const stage::Figure& figure : stage.figures) brush.draw(figure);
}

void draw_plates(const stage::Stage& stage, const stage::Camera& camera, const Rect& viewport,
                 const Theme& theme, const Type& type, ImDrawList* list,
                 std::vector<DrawnText>& texts) {
  Brush brush(camera, viewport, theme, type, list, texts);
  for (const stage::Figure& figure : stage.figures) brush.draw_plates(figure);
}

}  // namespace draw
