#include "stage/motion/zoom.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace stage {

namespace {

/// Whether these are the maps of all heads.
bool has_maps(const Stage& stage) {
  return std::any_of(stage.figures.begin(), stage.figures.end(),
                     [](const Figure& figure) { return figure.name == all_heads_name; });
}

/// What is shown a second time beside the maps of all heads, enlarged.
bool is_enlarged(const Block& block, const Stage& stage) {
  return !block.only_seen && has_maps(stage);
}

/// The block of the stage that shows the same as this one; null if there is none. Of the two that
/// show a head beside all others, its map among them: one zooms into it.
const Block* counterpart(const Block& block, const Stage& stage) {
  for (const Block& other : stage.blocks) {
    if (shows_the_same(block, other) && !is_enlarged(other, stage)) return &other;
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
  Rect before;
  Rect after;
  float area_before = 0.0F;
  float area_after = 0.0F;
  for (const Block& block : to.blocks) {
    const Block* was = counterpart(block, from);
    if (was == nullptr || counterpart(block, to) != &block) continue;  // new, or enlarged
    before = before.united(was->cells);
    after = after.united(block.cells);
    area_before += was->cells.width * was->cells.height;
    area_after += block.cells.width * block.cells.height;
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

/// Fading out takes the first half of the way and fading in the second, so that they do not mix.
float fading_out(float way) { return std::max(0.0F, 1.0F - 2.0F * way); }
float fading_in(float way) { return fading_out(1.0F - way); }

/// Fades the labels that only one of the two stages shows at a matrix.
void fade_labels(Block& block, const Block& before, float way) {
  if (block.show_row_labels != before.show_row_labels)
    block.row_labels_there = block.show_row_labels ? fading_in(way) : fading_out(way);
  block.show_row_labels = block.show_row_labels || before.show_row_labels;
  if (block.column_labels.empty() == before.column_labels.empty()) return;
  block.column_labels_there = before.column_labels.empty() && before.column_ticks.empty()
                                  ? fading_in(way)
                                  : fading_out(way);
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
  // The maps beside the one that is opened grow until they would lie over the step.
  const bool maps = has_maps(from) || has_maps(to);
  for (std::size_t i = 0; i < to.blocks.size(); ++i) {
    Block& block = result.blocks[i];
    const bool enlarged = is_enlarged(to.blocks[i], to);
    if (const Block* before = enlarged ? nullptr : counterpart(to.blocks[i], from)) {
      block.cells = mixed(before->cells, to.blocks[i].cells, way);
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
    block.cells = now.there(to.blocks[i].cells);
    block.opacity *= maps ? fading_in(way) : way;
  }
  for (std::size_t i = 0; i < to.groups.size(); ++i) {
    // A map has no caption that could travel.
    const Block& first = to.blocks[to.groups[i].first_block];
    const bool of_map = has_maps(from) || is_enlarged(first, to);
    if (!of_map && shows(from, first)) continue;
    Group& group = result.groups[i];
    group.bounds = now.there(to.groups[i].bounds);
    group.caption = now.there(to.groups[i].caption);
    if (of_map) group.caption_there = fading_in(way);
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
void take_out(Stage& result, const Stage& from, const Stage& to, const Zoom& zoom, float way) {
  const Zoom now = zoom.part(way);
  const bool into_map = has_maps(to);
  const bool maps = into_map || has_maps(from);
  const std::size_t staying = result.blocks.size();
  std::vector<Sheet> gone;
  for (const Group& group : from.groups) {
    std::vector<Block> leaving;
    for (std::size_t i = 0; i < group.block_count; ++i) {
      const Block& block = from.blocks[group.first_block + i];
      const Block* after = is_enlarged(block, from) ? nullptr : counterpart(block, result);
      const bool twice = after != nullptr && counterpart(block, from) != &block;
      if (block.piece || (after != nullptr && !twice && !into_map)) continue;
      Block leaves = block;
      leaves.cells = now.there(block.cells);
      if (after != nullptr)
        leaves.cells = twice ? mixed(block.cells, after->cells, way) : after->cells;
      leaves.opacity = block.opacity * (maps ? fading_out(way) : 1.0F - way);
      leaves.rows_are_queries = false;   // only staying blocks mark the query
      if (after != nullptr && !twice) {  // which has its labels on the way, too
        leaves.show_row_labels = false;
        leaves.column_labels.clear();
      }
      leaving.push_back(std::move(leaves));
    }
    if (leaving.empty()) continue;
    Group copy = group;
    if (maps) copy.caption_there = fading_out(way);
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
  if (to.first_piece >= to.blocks.size()) take_out(result, from, to, zoom.back(), way);
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
