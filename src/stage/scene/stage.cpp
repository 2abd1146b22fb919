#include "stage/scene/stage.hpp"

#include <algorithm>
#include <cmath>

#include "tensor/tensor.hpp"

namespace stage {

tensor::Index Block::index_of(std::size_t row, std::size_t column) const {
  if (run) {
    // A run belongs to a contiguous tensor, so each of its floats is a cell of that tensor.
    return run->index_at(run_start + row * columns() + column).value_or(corner);
  }
  tensor::Index index = corner;
  if (row_axis) index[*row_axis] += row;
  if (column_axis) index[*column_axis] += column;
  return index;
}

std::optional<Block::Position> Block::position_of(const tensor::Index& index) const {
  if (index.rank() != corner.rank()) return std::nullopt;
  if (run) {
    const std::size_t at = run->position(index);
    if (at < run_start || at - run_start >= rows() * columns()) return std::nullopt;
    return Position{(at - run_start) / columns(), (at - run_start) % columns()};
  }
  // An index before the corner wraps around to a huge distance, which the check below rejects.
  const std::size_t row = row_axis ? index[*row_axis] - corner[*row_axis] : 0;
  const std::size_t column = column_axis ? index[*column_axis] - corner[*column_axis] : 0;
  if (row >= rows() || column >= columns() || index_of(row, column) != index) return std::nullopt;
  return Position{row, column};
}

Rect Block::cell(std::size_t row, std::size_t column) const {
  const float width = cells.width / static_cast<float>(columns());
  const float height = cells.height / static_cast<float>(rows());
  return {cells.x + width * static_cast<float>(column), cells.y + height * static_cast<float>(row),
          width, height};
}

std::string part_of(const Block& block, const model::Trace& trace) {
  const ops::Axes axes = trace.axes_of(block.tensor.value());
  std::string text;
  for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
    const std::size_t first = block.corner[axis];
    std::size_t count = 0;
    if (block.row_axis == axis) count = block.rows();
    if (block.column_axis == axis) count = block.columns();
    text += axis == 0 ? "[" : ", ";
    if (count == 0)
      text += std::to_string(first);
    else if (count == trace.lengths[axes[axis]])
      text += ":";
    else
      text += std::to_string(first) + ":" + std::to_string(first + count);
  }
  return text + "]";
}

void add_group(Stage& stage, Group group, std::vector<Block> blocks) {
  group.first_block = stage.blocks.size();
  group.block_count = blocks.size();
  for (Block& block : blocks) {
    block.group = stage.groups.size();
    stage.blocks.push_back(std::move(block));
  }
  stage.groups.push_back(std::move(group));
}

void move(Stage& stage, float dx, float dy) {
  for (Block& block : stage.blocks) block.cells = block.cells.moved(dx, dy);
  for (Group& group : stage.groups) {
    group.bounds = group.bounds.moved(dx, dy);
    group.caption = group.caption.moved(dx, dy);
  }
  stage.bounds = stage.bounds.moved(dx, dy);
  for (Figure& figure : stage.figures) move(figure, dx, dy);
}

float value_range(const tensor::Tensor& tensor) {
  if (tensor.size() == 0) return 1.0F;
  // The storage caches its largest value; a view of part of it has to be searched each time.
  float largest = 0.0F;
  if (tensor.size() == tensor.storage().size()) {
    largest = tensor.largest_finite_stored();
  } else {
    for (const float value : tensor.values())
      if (std::isfinite(value)) largest = std::max(largest, std::abs(value));
  }
  return largest > 0.0F ? largest : 1.0F;
}

std::optional<Hit> cell_at(const Stage& stage, Point plane) {
  // Later blocks are drawn on top, so the search starts at the end.
  for (std::size_t i = stage.blocks.size(); i-- > 0;) {
    const Block& block = stage.blocks[i];
    if (block.only_seen || !block.cells.contains(plane)) continue;
    const auto row = static_cast<std::size_t>((plane.y - block.cells.y) / block.cells.height *
                                              static_cast<float>(block.rows()));
    const auto column = static_cast<std::size_t>((plane.x - block.cells.x) / block.cells.width *
                                                 static_cast<float>(block.columns()));
    // On the far edge, rounding may give one row or column too many.
    const Hit hit{i, std::min(row, block.rows() - 1), std::min(column, block.columns() - 1)};
    if (!block.is_shown(hit.row, hit.column)) continue;
    return hit;
  }
  return std::nullopt;
}

std::vector<Hit> cells_reading(const Stage& stage, const tensor::Tensor& like,
                               std::size_t position) {
  std::vector<Hit> hits;
  for (std::size_t i = 0; i < stage.blocks.size(); ++i) {
    const Block& block = stage.blocks[i];
    if (!block.matrix.shares_storage_with(like)) continue;
    const auto place = block.matrix.index_at(position);
    if (place && block.is_shown((*place)[0], (*place)[1]))
      hits.push_back({i, (*place)[0], (*place)[1]});
  }
  return hits;
}

const Target* target_at(const Stage& stage, Point plane) {
  const Target* found = nullptr;
  for (const Figure& figure : stage.figures) {
    for (const Target& target : figure.targets) {
      if (target.place.contains(plane)) found = &target;
    }
  }
  return found;
}

std::optional<std::size_t> query_at(const Stage& stage, Point plane) {
  for (const Block& block : stage.blocks) {
    if (!block.rows_are_queries || !block.show_row_labels) continue;
    const Group& group = stage.groups[block.group];
    const Rect labels{group.bounds.x, block.cells.y, block.cells.x - group.bounds.x,
                      block.cells.height};
    if (!labels.contains(plane)) continue;
    const auto row = static_cast<std::size_t>((plane.y - labels.y) / labels.height *
                                              static_cast<float>(block.rows()));
    return std::min(row, block.rows() - 1);
  }
  return std::nullopt;
}

std::optional<Hit> find_cell(const Stage& stage, model::TensorId tensor, const tensor::Index& index,
                             std::optional<std::size_t> rather) {
  const auto in_block = [&](std::size_t i) -> std::optional<Hit> {
    const Block& block = stage.blocks[i];
    if (block.tensor != tensor || block.run || block.only_seen) return std::nullopt;
    const auto position = block.position_of(index);
    if (!position || !block.is_shown(position->row, position->column)) return std::nullopt;
    return Hit{i, position->row, position->column};
  };
  if (rather && *rather < stage.blocks.size()) {
    if (const auto hit = in_block(*rather)) return hit;
  }
  for (std::size_t i = 0; i < stage.blocks.size(); ++i) {
    if (const auto hit = in_block(i)) return hit;
  }
  return std::nullopt;
}

std::optional<Hit> find_place(const Stage& stage, model::TensorId tensor,
                              const tensor::Index& index) {
  for (std::size_t i = 0; i < stage.blocks.size(); ++i) {
    const Block& block = stage.blocks[i];
    if (block.tensor != tensor || block.run || block.only_seen || block.piece) continue;
    if (const auto position = block.position_of(index))
      return Hit{i, position->row, position->column};
  }
  return std::nullopt;
}

bool shows_the_same(const Block& a, const Block& b) {
  return a.attention == b.attention && a.tensor == b.tensor && a.head == b.head &&
         a.run.has_value() == b.run.has_value() && a.piece == b.piece &&
         (!a.piece || a.corner == b.corner);
}

bool same_cells(const Block& a, const Block& b) {
  return shows_the_same(a, b) && a.corner == b.corner && a.row_axis == b.row_axis &&
         a.rows() == b.rows() && a.columns() == b.columns() && a.run_start == b.run_start;
}

bool is_new(const Block& block, const Stage& stage) {
  return std::none_of(stage.blocks.begin(), stage.blocks.end(),
                      [&](const Block& other) { return shows_the_same(block, other); });
}

Stage between(const Stage& from, const Stage& to, float t) {
  if (t >= 1.0F) return to;
  const float way = eased(std::max(0.0F, t));
  Stage result = to;
  for (Block& block : result.blocks) {
    const auto before =
        std::find_if(from.blocks.begin(), from.blocks.end(),
                     [&](const Block& other) { return shows_the_same(block, other); });
    if (before != from.blocks.end()) block.cells = mixed(before->cells, block.cells, way);
  }
  for (Group& group : result.groups) {
    // A caption travels only with cells of its own attention: the same name elsewhere is another
    // tensor.
    const Block& first = to.blocks[group.first_block];
    const auto shown =
        std::find_if(from.blocks.begin(), from.blocks.end(), [&](const Block& other) {
          return other.attention == first.attention && other.tensor == first.tensor;
        });
    if (shown == from.blocks.end()) continue;
    const Group& before = from.groups[shown->group];
    group.bounds = mixed(before.bounds, group.bounds, way);
    group.caption = mixed(before.caption, group.caption, way);
  }
  return result;
}

}  // namespace stage
