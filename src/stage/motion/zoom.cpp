#include "stage/motion/zoom.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace stage {

namespace {

/// The block of the stage that shows the same as this one; null if there is none.
const Block* counterpart(const Block& block, const Stage& stage) {
  for (const Block& other : stage.blocks) {
    if (shows_the_same(block, other)) return &other;
  }
  return nullptr;
}

/// A mapping from the plane of one stage to that of another: scale, then shift.
struct Zoom {
  float factor = 1.0F;
  float dx = 0.0F;
  float dy = 0.0F;

  Point there(Point p) const { return {p.x * factor + dx, p.y * factor + dy}; }
  Rect there(const Rect& rect) const {
    const Point corner = there(Point{rect.x, rect.y});
    return {corner.x, corner.y, rect.width * factor, rect.height * factor};
  }
  Zoom back() const { return {1.0F / factor, -dx / factor, -dy / factor}; }
  /// The part of the mapping that is done at `way`: 0 changes nothing, 1 is the whole mapping.
  Zoom part(float way) const { return {mixed(1.0F, factor, way), dx * way, dy * way}; }
};

/// The mapping from the plane of `to` to that of `from`, by the matrices on both. Without any, it
/// changes nothing and the pictures only fade.
Zoom zoom_of(const Stage& from, const Stage& to) {
  const Stage start = between(from, to, 0.0F);  // what is on both stages lies as in `from`
  Rect before;
  Rect after;
  float area_before = 0.0F;
  float area_after = 0.0F;
  for (std::size_t i = 0; i < to.blocks.size(); ++i) {
    // What the map of all heads shows a second time, enlarged, is not counted.
    if (is_new(to.blocks[i], from) || counterpart(to.blocks[i], to) != &to.blocks[i]) continue;
    before = before.united(start.blocks[i].cells);
    after = after.united(to.blocks[i].cells);
    area_before += start.blocks[i].cells.width * start.blocks[i].cells.height;
    area_after += to.blocks[i].cells.width * to.blocks[i].cells.height;
  }
  if (before.empty() || after.empty()) return {};
  const float factor = std::sqrt(area_before / area_after);
  return {factor, before.centre().x - after.centre().x * factor,
          before.centre().y - after.centre().y * factor};
}

bool shows(const Stage& stage, const Block& block) {
  return std::any_of(stage.blocks.begin(), stage.blocks.end(), [&](const Block& other) {
    return other.attention == block.attention && other.tensor == block.tensor;
  });
}

/// Whether these are the maps of all heads.
bool has_maps(const Stage& stage) {
  return std::any_of(stage.figures.begin(), stage.figures.end(),
                     [](const Figure& figure) { return figure.name == all_heads_name; });
}

/// Fading out takes the first half of the way and fading in the second, so that they do not mix.
float fading_out(float way) { return std::max(0.0F, 1.0F - 2.0F * way); }
float fading_in(float way) { return fading_out(1.0F - way); }

/// Fades the labels that only one of the two stages shows at a matrix.
void fade_labels(Block& block, const Block& before, float way) {
  if (block.show_row_labels != before.show_row_labels)
    block.row_labels_there = block.show_row_labels ? fading_in(way) : fading_out(way);
  block.show_row_labels = block.show_row_labels || before.show_row_labels;
  if (block.column_labels.empty() == before.column_labels.empty()) return;
  block.column_labels_there = before.column_labels.empty() ? fading_in(way) : fading_out(way);
  if (!block.column_labels.empty()) return;
  block.column_labels = before.column_labels;
  block.upright_labels = before.upright_labels;
}

/// A card has no matrix to change into: one that goes into it keeps its look and fades.
void go_into_card(Block& block, const Block& before, float way) {
  const Rect cells = block.cells;
  const std::size_t group = block.group;
  block = before;
  block.cells = cells;
  block.group = group;
  block.only_seen = true;
  block.rows_are_queries = false;
  block.opacity *= 1.0F - way;
  block.row_labels_there *= fading_out(way);
  block.column_labels_there *= fading_out(way);
}

/// Its caption goes with it.
void go_into_card(Group& group, const Group& before, const Rect& cells, const Rect& cells_before) {
  group.title = before.title;
  group.shape = before.shape;
  group.note = before.note;
  group.wrong = before.wrong;
  group.caption = before.caption;
  group.caption.x += cells.x - cells_before.x;
  group.caption.y += cells.y - cells_before.y;
}

bool has_sheets(const Stage& stage, const Block* block) {
  return std::any_of(stage.sheets.begin(), stage.sheets.end(),
                     [&](const Sheet& sheet) { return &stage.blocks[sheet.over] == block; });
}

/// What only `to` shows appears and moves in from where it would be on the plane of `from`.
void bring_in(Stage& result, const Stage& from, const Stage& to, const Zoom& zoom, float way) {
  const Zoom now = zoom.part(1.0F - way);
  for (std::size_t i = 0; i < to.blocks.size(); ++i) {
    Block& block = result.blocks[i];
    if (const Block* before = counterpart(to.blocks[i], from)) {
      const Group& was = from.groups[before->group];
      Group& group = result.groups[block.group];
      if (group.folded && !was.folded) {
        if (i == group.first_block) go_into_card(group, was, block.cells, before->cells);
        go_into_card(block, *before, way);
        continue;
      }
      block.opacity = mixed(before->opacity, block.opacity, way);
      fade_labels(block, *before, way);
      continue;
    }
    block.cells = now.there(block.cells);
    block.opacity *= way;
  }
  for (Group& group : result.groups) {
    if (shows(from, to.blocks[group.first_block])) continue;
    group.bounds = now.there(group.bounds);
    group.caption = now.there(group.caption);
  }
  for (Figure& figure : result.figures) {
    stage::zoom(figure, now.factor, now.dx, now.dy);
    figure.opacity = fading_in(way);
  }
  for (Sheet& sheet : result.sheets) {
    const Block* before = counterpart(to.blocks[sheet.over], from);
    if (before != nullptr && !has_sheets(from, before)) sheet.opacity = way;
  }
}

/// What only `from` shows fades and moves to where it would be on the plane of `to`.
void take_out(Stage& result, const Stage& from, const Zoom& zoom, float way) {
  const Zoom now = zoom.part(way);
  const std::size_t staying = result.blocks.size();
  std::vector<Sheet> gone;
  for (const Group& group : from.groups) {
    std::vector<Block> leaving;
    for (std::size_t i = 0; i < group.block_count; ++i) {
      const Block& block = from.blocks[group.first_block + i];
      const Block* after = counterpart(block, result);
      const bool twice = after != nullptr && counterpart(block, from) != &block;
      if (block.piece || (after != nullptr && !twice)) continue;
      leaving.push_back(block);
      leaving.back().cells = twice ? mixed(block.cells, after->cells, way) : now.there(block.cells);
      leaving.back().opacity = block.opacity * (1.0F - way);
      leaving.back().rows_are_queries = false;  // only staying blocks mark the query
    }
    if (leaving.empty()) continue;
    Group copy = group;
    copy.bounds = now.there(group.bounds);
    copy.caption = now.there(group.caption);
    add_group(result, std::move(copy), std::move(leaving));
  }
  for (const Sheet& sheet : from.sheets) {
    const Block* block = counterpart(from.blocks[sheet.over], result);
    if (block == nullptr || has_sheets(result, block)) continue;
    Sheet copy = sheet;
    copy.over = static_cast<std::size_t>(block - result.blocks.data());
    // A sheet under a leaving block fades with that block already.
    if (copy.over < staying) copy.opacity = 1.0F - way;
    gone.push_back(std::move(copy));
  }
  result.sheets.insert(result.sheets.end(), gone.begin(), gone.end());
  for (Figure figure : from.figures) {
    stage::zoom(figure, now.factor, now.dx, now.dy);
    // Frames around cells, which go another way, are gone before they part.
    const bool around_cells = figure.of_matrices && from.detailed;
    figure.opacity *= fading_out(around_cells ? 4.0F * way : way);
    if (figure.opacity > 0.0F) result.figures.push_back(std::move(figure));
  }
}

}  // namespace

bool is_zoom(const Stage& from, const Stage& to) {
  return from.detailed != to.detailed || has_maps(from) != has_maps(to);
}

Stage zoomed(const Stage& from, const Stage& to, float t) {
  Stage result = between(from, to, t);
  if (t >= 1.0F) return result;
  const Zoom zoom = zoom_of(from, to);
  const float way = eased(std::max(0.0F, t));
  result.detail = mixed(from.detail, to.detail, way);
  bring_in(result, from, to, zoom, way);
  if (to.first_piece >= to.blocks.size()) take_out(result, from, zoom.back(), way);
  return result;
}

std::vector<Route> zoomed_routes(const Stage& from, const Stage& to, float t) {
  const Zoom zoom = zoom_of(from, to);
  const float way = eased(std::clamp(t, 0.0F, 1.0F));
  std::vector<Route> routes;
  const auto add = [&](const Stage& stage, const Zoom& now, float opacity) {
    if (opacity <= 0.0F) return;
    for (Route& route : routes_of(stage)) {
      for (Point& point : route.points) point = now.there(point);
      route.opacity = opacity;
      routes.push_back(std::move(route));
    }
  };
  add(from, zoom.back().part(way), fading_out(way));
  add(to, zoom.part(1.0F - way), fading_in(way));
  return routes;
}

}  // namespace stage
