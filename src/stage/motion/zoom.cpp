#include "stage/motion/zoom.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace stage {

namespace {

/// The block of a stage that shows what this one shows, if it has one.
const Block* counterpart(const Block& block, const Stage& stage) {
  for (const Block& other : stage.blocks) {
    if (shows_the_same(block, other)) return &other;
  }
  return nullptr;
}

/// How the plane of one stage lies on that of another.
struct Zoom {
  Point from;  ///< the middle of what both show, in the one
  Point to;    ///< ... and in the other
  float factor = 1.0F;

  Rect there(const Rect& rect) const {
    return {to.x + (rect.x - from.x) * factor, to.y + (rect.y - from.y) * factor,
            rect.width * factor, rect.height * factor};
  }
  Zoom back() const { return {to, from, 1.0F / factor}; }
};

/// From the plane of `to` to that of `from`. Where they have no matrix in common everything stays
/// where it is, and only fades.
Zoom zoom_of(const Stage& from, const Stage& to) {
  const Stage start = between(from, to, 0.0F);  // where both show it, `from` has it
  Rect before;
  Rect after;
  float area_before = 0.0F;
  float area_after = 0.0F;
  for (std::size_t i = 0; i < to.blocks.size(); ++i) {
    if (is_new(to.blocks[i], from)) continue;
    before = before.united(start.blocks[i].cells);
    after = after.united(to.blocks[i].cells);
    area_before += start.blocks[i].cells.width * start.blocks[i].cells.height;
    area_after += to.blocks[i].cells.width * to.blocks[i].cells.height;
  }
  if (before.empty() || after.empty()) return {};
  return {after.centre(), before.centre(), std::sqrt(area_before / area_after)};
}

bool shows(const Stage& stage, const Block& block) {
  return std::any_of(stage.blocks.begin(), stage.blocks.end(), [&](const Block& other) {
    return other.attention == block.attention && other.tensor == block.tensor;
  });
}

/// What comes moves from where it would be in the picture that is left, and appears.
void bring_in(Stage& result, const Stage& from, const Stage& to, const Zoom& zoom, float way) {
  for (std::size_t i = 0; i < to.blocks.size(); ++i) {
    Block& block = result.blocks[i];
    if (const Block* before = counterpart(to.blocks[i], from)) {
      block.opacity = mixed(before->opacity, block.opacity, way);
      continue;
    }
    block.cells = mixed(zoom.there(block.cells), block.cells, way);
    block.opacity *= way;
  }
  for (Group& group : result.groups) {
    if (shows(from, to.blocks[group.first_block])) continue;
    group.bounds = mixed(zoom.there(group.bounds), group.bounds, way);
    group.caption = mixed(zoom.there(group.caption), group.caption, way);
  }
}

/// What is left goes where it would be in the picture that comes, and fades.
void take_out(Stage& result, const Stage& from, const Zoom& zoom, float way) {
  for (const Group& group : from.groups) {
    std::vector<Block> leaving;
    for (std::size_t i = 0; i < group.block_count; ++i) {
      const Block& block = from.blocks[group.first_block + i];
      if (block.piece || !is_new(block, result)) continue;
      leaving.push_back(block);
      leaving.back().cells = mixed(block.cells, zoom.there(block.cells), way);
      leaving.back().opacity = block.opacity * (1.0F - way);
      leaving.back().rows_are_queries = false;  // the query is marked in what stays
    }
    if (leaving.empty()) continue;
    Group copy = group;
    copy.bounds = mixed(group.bounds, zoom.there(group.bounds), way);
    copy.caption = mixed(group.caption, zoom.there(group.caption), way);
    add_group(result, std::move(copy), std::move(leaving));
  }
}

}  // namespace

bool is_zoom(const Stage& from, const Stage& to) { return from.detailed != to.detailed; }

Stage zoomed(const Stage& from, const Stage& to, float t) {
  Stage result = between(from, to, t);
  if (t >= 1.0F) return result;
  const Zoom zoom = zoom_of(from, to);
  const float way = eased(std::max(0.0F, t));
  bring_in(result, from, to, zoom, way);
  if (to.first_piece >= to.blocks.size()) take_out(result, from, zoom.back(), way);
  return result;
}

}  // namespace stage
