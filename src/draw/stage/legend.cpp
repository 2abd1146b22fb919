#include "draw/stage/legend.hpp"

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "stage/scene/number_text.hpp"

namespace draw {

namespace {

/// Whether nothing of the stage is drawn at this place on the screen.
bool is_free(const Drawn& drawn, const stage::Rect& place) {
  const stage::Rect& view = drawn.viewport;
  if (place.x < view.x || place.y < view.y || place.right() > view.right() ||
      place.bottom() > view.bottom()) {
    return false;
  }
  const stage::Rect around{place.x - 8.0F, place.y - 3.0F, place.width + 16.0F,
                           place.height + 6.0F};
  const auto covers = [&](const stage::Rect& plane) {
    return drawn.camera.to_screen(plane, view).overlaps(around);
  };
  const auto any = [](const auto& parts, const auto& is_there) {
    return std::any_of(parts.begin(), parts.end(), is_there);
  };
  const auto crosses = [&](const std::vector<stage::Point>& points) {
    if (points.empty()) return false;
    stage::Rect all{points.front().x, points.front().y, 1.0F, 1.0F};
    for (const stage::Point& point : points) all = all.united({point.x, point.y, 1.0F, 1.0F});
    return covers(all);
  };
  const auto any_of_figure = [&](const stage::Figure& figure) {
    const auto has_place = [&](const auto& part) { return covers(part.place); };
    const auto has_line = [&](const stage::Stroke& stroke) { return crosses(stroke.points); };
    const auto has_band = [&](const stage::Band& band) {
      return crosses({{band.upper[0], band.top},
                      {band.upper[1], band.top},
                      {band.lower[0], band.bottom},
                      {band.lower[1], band.bottom}});
    };
    return any(figure.bars, has_place) || any(figure.patches, has_place) ||
           any(figure.targets, has_place) || any(figure.strokes, has_line) ||
           any(figure.bands, has_band);
  };
  // A wire is a line with corners, so each of its pieces counts by itself.
  const auto is_under_wire = [&](const stage::Route& wire) {
    if (wire.curved) return crosses(wire.points);
    for (std::size_t i = 1; i < wire.points.size(); ++i)
      if (crosses({wire.points[i - 1], wire.points[i]})) return true;
    return false;
  };
  return !any(drawn.texts, [&](const DrawnText& text) { return text.place.overlaps(around); }) &&
         !any(drawn.stage.blocks, [&](const stage::Block& block) { return covers(block.cells); }) &&
         !any(drawn.stage.figures, any_of_figure) && !any(drawn.wires, is_under_wire);
}

/// The scale in small: a number, a ramp and a number, in a line.
class SmallScale {
 public:
  SmallScale(const stage::Block& block, const Type& type)
      : block_(block),
        type_(type),
        ends_(Legend::ends(block)),
        low_(measure(type.numbers, size, ends_.low)),
        high_(measure(type.numbers, size, ends_.high)) {}

  /// Where it may stand on the screen: after the last word of the caption's lower or upper line,
  /// under the matrices of the group, or right of the matrix, below or above it.
  std::vector<stage::Rect> places(const Drawn& drawn) const {
    const stage::Group& group = drawn.stage.groups[block_.group];
    const stage::Rect caption = drawn.camera.to_screen(group.caption, drawn.viewport);
    std::vector<stage::Rect> places;
    float line = -1.0F;  // the middle of the line that was added last
    for (const DrawnText& text : drawn.texts) {
      const float middle = text.place.centre().y;
      if (!caption.contains({text.place.x + 1.0F, middle})) continue;
      if (line == middle) places.pop_back();  // it goes on
      line = middle;
      places.push_back({text.place.right() + 14.0F, middle - low_.y / 2.0F, width(), low_.y});
    }
    std::reverse(places.begin(), places.end());
    const stage::Rect all = drawn.camera.to_screen(group.bounds, drawn.viewport);
    const stage::Rect first =
        drawn.camera.to_screen(drawn.stage.blocks[group.first_block].cells, drawn.viewport);
    for (const float x : {first.x, all.right() - width()})
      places.push_back({x, all.bottom() + 5.0F, width(), low_.y});
    const stage::Rect own = drawn.camera.to_screen(block_.cells, drawn.viewport);
    places.push_back({own.right() + 12.0F, own.centre().y - low_.y / 2.0F, width(), low_.y});
    const float left = std::max(own.x, own.right() - width());
    places.push_back({left, own.bottom() + 8.0F, width(), low_.y});
    places.push_back({left, own.y - 8.0F - low_.y, width(), low_.y});
    return places;
  }

  void draw(const stage::Rect& place, const Theme& theme, ImDrawList* list,
            std::vector<DrawnText>& texts) const {
    const ImU32 colour = packed(theme.quiet);
    const auto number = [&](float x, const std::string& text, const stage::Point& extent) {
      set_text(list, type_.numbers, size, {x, place.centre().y}, Align::left, colour, text);
      const stage::Rect at{x, place.y, extent.x, extent.y};
      texts.push_back({at, text, "legend", {}, {}, type_.numbers, size, colour, false});
    };
    number(place.x, ends_.low, low_);
    number(place.right() - high_.x, ends_.high, high_);
    const stage::Rect ramp{place.x + low_.x + gap, place.centre().y - ramp_height / 2.0F,
                           ramp_width, ramp_height};
    const float low = block_.colouring == stage::Colouring::weights ? 0.0F : -block_.range;
    constexpr int pieces = 26;
    constexpr float piece = ramp_width / pieces;
    for (int i = 0; i < pieces; ++i) {
      const float x = ramp.x + piece * static_cast<float>(i);
      const float value = low + (block_.range - low) * (static_cast<float>(i) + 0.5F) / pieces;
      list->AddRectFilled({x, ramp.y}, {x + piece, ramp.bottom()},
                          packed(cell_colour(theme, block_.colouring, block_.range, value)));
    }
    const stage::Rect frame = ramp.inset(-0.5F);
    list->AddRect({frame.x, frame.y}, {frame.right(), frame.bottom()}, packed(theme.line));
  }

 private:
  static constexpr float size = 10.5F;  // of the type
  static constexpr float ramp_width = 52.0F;
  static constexpr float ramp_height = 8.0F;
  static constexpr float gap = 5.0F;

  float width() const { return low_.x + high_.x + ramp_width + 2.0F * gap; }

  const stage::Block& block_;
  const Type& type_;
  Legend::Ends ends_;
  stage::Point low_;  // the extents of both numbers
  stage::Point high_;
};

}  // namespace

stage::Rect Legend::bar_place(const stage::Rect& legend) {
  constexpr float bar_height = 10.0F;
  return {legend.x, legend.centre().y - bar_height / 2.0F, legend.width, bar_height};
}

const tensor::Tensor& Legend::matrix(const stage::Block& block) {
  const float low = block.colouring == stage::Colouring::weights ? 0.0F : -block.range;
  const float high = block.range;
  return matrix_.of({low, high}, [low, high] {
    constexpr std::size_t steps = 65;
    std::vector<float> values(steps);
    for (std::size_t i = 0; i < steps; ++i) {
      values[i] = low + (high - low) * static_cast<float>(i) / static_cast<float>(steps - 1);
    }
    return tensor::Tensor({1, steps}, values);
  });
}

Legend::Ends Legend::ends(const stage::Block& block) {
  if (block.colouring == stage::Colouring::weights)
    return {"0", stage::number_text_telling(block.range)};
  return {stage::number_text_telling(-block.range), stage::number_text_telling(block.range)};
}

void Legend::text(const stage::Block& block, const stage::Rect& place, bool shared,
                  const Theme& theme, const Type& type, ImDrawList* list) {
  const stage::Rect bar = bar_place(place);
  const bool weights = block.colouring == stage::Colouring::weights;
  const float above = bar.y - 8.0F;
  const float below = bar.bottom() + 8.0F;
  const std::string brief =
      shared && !weights
          ? std::string(base::text("draw.legend.shared"))
          : base::text(block.is_difference ? "draw.legend.difference" : "draw.legend.value",
                       {{"tensor", model::name_of(block.tensor)}});
  std::string whole = brief;
  if (weights && block.range != 1.0F)
    whole = base::text("draw.legend.to_largest", {{"scale", brief}});
  if (!weights && !shared) whole = base::text("draw.legend.own_scale", {{"scale", brief}});
  // Without room for the whole text, the brief one, which may be cut as well.
  const bool fits = measure(type.words, 11.5F, whole).x <= place.width;
  set_text(list, type.words, 11.5F, {bar.x, above}, Align::left, packed(theme.quiet),
           fits ? whole : fitting(type.words, 11.5F, brief, place.width));
  set_text(list, type.numbers, 11.5F, {bar.x, below}, Align::left, packed(theme.quiet),
           ends(block).low);
  if (!weights)
    set_text(list, type.numbers, 11.5F, {bar.centre().x, below}, Align::centre, packed(theme.quiet),
             "0");
  set_text(list, type.numbers, 11.5F, {bar.right(), below}, Align::right, packed(theme.quiet),
           ends(block).high);
}

void Legend::put_at_matrix(Drawn& drawn, const Theme& theme, const Type& type, ImDrawList* list) {
  if (!drawn.legend) return;
  const SmallScale scale(drawn.stage.blocks[*drawn.legend], type);
  for (const stage::Rect& place : scale.places(drawn)) {
    if (is_free(drawn, place)) return scale.draw(place, theme, list, drawn.texts);
  }
}

}  // namespace draw
