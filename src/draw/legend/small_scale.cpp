#include "draw/legend/small_scale.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "draw/legend/legend.hpp"
#include "stage/motion/routes.hpp"

namespace draw {

namespace {

using stage::Rect;

constexpr float letter_size = 10.5F;
constexpr float ramp_width = 52.0F;
constexpr float ramp_height = 8.0F;
constexpr float gap = 5.0F;

Rect around(std::span<const stage::Point> points) {
  Rect all{points.front().x, points.front().y, 1.0F, 1.0F};
  for (const stage::Point& point : points) all = all.united({point.x, point.y, 1.0F, 1.0F});
  return all;
}

/// The places on the screen where something of the stage is drawn.
std::vector<Rect> drawn_places(const Drawn& drawn) {
  std::vector<Rect> places;
  const auto add = [&](const Rect& plane) {
    places.push_back(drawn.camera.to_screen(plane, drawn.viewport));
  };
  for (const DrawnText& text : drawn.texts) places.push_back(text.place);
  for (const stage::Block& block : drawn.stage.blocks) add(block.cells);
  for (const stage::Figure& figure : drawn.stage.figures) {
    for (const auto& bar : figure.bars) add(bar.place);
    for (const auto& patch : figure.patches) add(patch.place);
    for (const auto& target : figure.targets) add(target.place);
    for (const stage::Stroke& stroke : figure.strokes)
      if (!stroke.points.empty()) add(around(stroke.points));
    for (const stage::Band& band : figure.bands) {
      const float left = std::min(band.upper[0], band.lower[0]);
      const float right = std::max(band.upper[1], band.lower[1]);
      add({left, band.top, right - left, band.bottom - band.top});
    }
  }
  for (const stage::Route& wire : stage::routes_of(drawn.stage)) {
    // A line with corners is in the way only where its pieces are.
    const std::size_t piece = wire.curved ? wire.points.size() : 2;
    const std::span<const stage::Point> points(wire.points);
    for (std::size_t i = 0; i + piece <= points.size(); ++i) add(around(points.subspan(i, piece)));
  }
  return places;
}

/// Where a scale of this extent may stand, the best place first: after the last word of the
/// caption's lower or upper line, under the matrices of the group, right of the matrix, below or
/// above it, or left of the caption.
std::vector<Rect> possible_places(const Drawn& drawn, const stage::Block& block,
                                  const stage::Point& extent) {
  const stage::Group& group = drawn.stage.groups[block.group];
  const auto on_screen = [&](const Rect& plane) {
    return drawn.camera.to_screen(plane, drawn.viewport);
  };
  std::vector<Rect> places;
  const auto add = [&](float x, float y) { places.push_back({x, y, extent.x, extent.y}); };
  const Rect caption = on_screen(group.caption);
  float line = -1.0F;  // the middle of the line that was added last
  for (const DrawnText& text : drawn.texts) {
    const float middle = text.place.centre().y;
    if (!caption.contains({text.place.x + 1.0F, middle})) continue;
    if (line == middle) places.pop_back();  // it goes on
    line = middle;
    add(text.place.right() + 14.0F, middle - extent.y / 2.0F);
  }
  std::reverse(places.begin(), places.end());
  const Rect all = on_screen(group.bounds);
  const bool captioned = !places.empty();
  const float caption_line = captioned ? places.back().y : 0.0F;  // the upper one
  add(on_screen(drawn.stage.blocks[group.first_block].cells).x, all.bottom() + 5.0F);
  add(all.right() - extent.x, all.bottom() + 5.0F);
  const Rect own = on_screen(block.cells);
  add(own.right() + 12.0F, own.centre().y - extent.y / 2.0F);
  const float left = std::max(own.x, own.right() - extent.x);
  add(left, own.bottom() + 8.0F);
  add(left, own.y - 8.0F - extent.y);
  if (captioned) add(caption.x - 14.0F - extent.x, caption_line);
  return places;
}

/// The first of the places that lies in the window and where nothing is drawn.
std::optional<Rect> free_place(const Drawn& drawn, const std::vector<Rect>& places) {
  const std::vector<Rect> drawn_there = drawn_places(drawn);
  const auto is_free = [&](const Rect& place) {
    const Rect with_margin{place.x - 8.0F, place.y - 3.0F, place.width + 16.0F,
                           place.height + 6.0F};
    return drawn.viewport.contains({place.x, place.y}) &&
           drawn.viewport.contains({place.right(), place.bottom()}) &&
           std::none_of(drawn_there.begin(), drawn_there.end(),
                        [&](const Rect& other) { return other.overlaps(with_margin); });
  };
  const auto place = std::find_if(places.begin(), places.end(), is_free);
  if (place == places.end()) return std::nullopt;
  return *place;
}

}  // namespace

std::optional<Rect> put_small_scale(Drawn& drawn, const Theme& theme, const Type& type,
                                    ImDrawList* list) {
  if (!drawn.legend) return std::nullopt;
  const stage::Block& block = drawn.stage.blocks[*drawn.legend];
  const Legend::Ends ends = Legend::ends(block);
  const stage::Point low = measure(type.numbers, letter_size, ends.low);
  const stage::Point high = measure(type.numbers, letter_size, ends.high);
  const stage::Point extent{low.x + gap + ramp_width + gap + high.x, low.y};
  const std::optional<Rect> place = free_place(drawn, possible_places(drawn, block, extent));
  if (!place) return std::nullopt;
  drawn.small_scale = place;
  const auto put_number = [&](float x, const std::string& text, const stage::Point& size) {
    const ImU32 colour = packed(theme.quiet);
    set_text(list, type.numbers, letter_size, {x, place->centre().y}, Align::left, colour, text);
    drawn.texts.push_back({{x, place->y, size.x, size.y},
                           text,
                           "legend",
                           {},
                           {},
                           type.numbers,
                           letter_size,
                           colour,
                           false});
  };
  put_number(place->x, ends.low, low);
  put_number(place->right() - high.x, ends.high, high);
  const Rect ramp{place->x + low.x + gap, place->centre().y - ramp_height / 2.0F, ramp_width,
                  ramp_height};
  const Rect frame = ramp.inset(-0.5F);
  list->AddRect({frame.x, frame.y}, {frame.right(), frame.bottom()}, packed(theme.line));
  return ramp;
}

}  // namespace draw
