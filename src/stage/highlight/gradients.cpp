#include "stage/highlight/gradients.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "document/places/places.hpp"
#include "stage/focus/step_cell.hpp"
#include "stage/highlight/note_room.hpp"
#include "stage/highlight/sources.hpp"
#include "stage/layout/steps/step_layouts.hpp"
#include "stage/motion/input_rows.hpp"
#include "stage/motion/motion.hpp"
#include "stage/motion/pieces.hpp"
#include "stage/motion/products_back.hpp"
#include "stage/scene/drawing.hpp"
#include "stage/scene/matrices.hpp"

namespace stage {

namespace {

using model::TensorId;

/// The cells of `block` in another tensor of the same shape.
tensor::Tensor same_cells_of(const Block& block, tensor::Tensor of) {
  std::size_t removed = 0;
  for (std::size_t axis = 0; axis < block.corner.rank(); ++axis) {
    const bool shown = block.row_axis == axis || block.column_axis == axis;
    const std::size_t at = axis - removed;
    if (!shown) {
      of = of.select(at, block.corner[axis]);
      ++removed;
    } else {
      of = of.narrow(at, block.corner[axis],
                     block.row_axis == axis ? block.rows() : block.columns());
    }
  }
  if (!block.column_axis || !block.row_axis) return of.reshape({block.rows(), block.columns()});
  // Some are drawn transposed: k_heads, and a projection's weights.
  return *block.row_axis < *block.column_axis ? of : of.transpose(0, 1);
}

bool has_gradient(const Block& block, const model::Trace& trace) {
  const bool of_tensor = (block.row_axis || block.column_axis) && !block.run && !block.partial;
  return of_tensor && trace.has(block.tensor.gradient());
}

/// Shows `gradient` in the place of the block's tensor: that of the tensor, or a part of it.
void show_gradient(Block& block, const model::Trace& trace, TensorId gradient) {
  if (!has_gradient(block, trace)) {
    block.opacity *= 0.25F;
    return;
  }
  block.matrix = same_cells_of(block, trace[gradient]);
  block.tensor = gradient;
  block.range = value_range(trace[gradient]);
  block.colouring = Colouring::diverging;
  block.row_heads.clear();
}

/// What belonged to a figure has nothing to say without it.
void hide(Stage& stage, Group& group) {
  group.title.clear();
  for (std::size_t i = 0; i < group.block_count; ++i)
    stage.blocks[group.first_block + i].opacity = 0.0F;
}

/// The layout left room for the notes of values. Those of gradients are other ones, and go where
/// they would reach into the next caption, or where there is no line for them.
void drop_long_notes(Stage& stage) {
  for (Group& group : stage.groups) {
    if (stage.detailed && group.caption.height < caption_height) group.note.clear();
    if (group.caption.x + caption_width(group, true) > note_limit(stage, group)) group.note.clear();
  }
}

/// Says in a caption whose numbers are framed below it: behind the shape, in its place where there
/// is no room for both, and behind the title where that is the only line.
void say_what_is_framed(const Stage& stage, Group& group, TensorId tensor) {
  const std::string words =
      base::text("stage.caption.framed", {{"tensor", model::name_of(tensor)}});
  const bool is_said = group.note == words || group.shape == words || group.title.ends_with(words);
  if (is_said) return;  // of another head
  Group told = group;
  told.note = words;
  if (stage.detailed && group.caption.height < caption_height) {
    told.title += ", " + std::exchange(told.note, "");
  } else if (group.caption.x + caption_width(told, true) > note_limit(stage, group)) {
    told.shape = std::exchange(told.note, "");
  }
  if (group.caption.x + caption_width(told, true) <= note_limit(stage, group)) group = told;
}

}  // namespace

bool gives_gradient(const Group& group, const Stage& stage, const model::Trace& trace) {
  const auto first = stage.blocks.begin() + static_cast<std::ptrdiff_t>(group.first_block);
  return group.block_count > 0 &&
         std::all_of(first, first + static_cast<std::ptrdiff_t>(group.block_count),
                     [&](const Block& block) { return has_gradient(block, trace); });
}

void show_gradients(Stage& stage, const FigureInput& input) {
  const model::Trace& trace = input.attention.trace;
  const lesson::StepId step = input.view_state.step;
  const PlayBack play = play_back(stage, input);
  // What travels in the step travels back, as gradients.
  std::vector<WayBack> ways;
  if (step == lesson::StepId::transpose || step == lesson::StepId::merge) {
    plan_motion(stage, trace, input.view_state);
    ways = ways_back(stage);
  }
  stage.sheets.clear();
  stage.tweens.clear();
  stage.sweeps.clear();
  stage.growing.reset();
  // Figures are about values, but for the cards of the map.
  const bool cards = std::any_of(stage.groups.begin(), stage.groups.end(),
                                 [](const Group& group) { return group.folded; });
  if (!cards) stage.figures.clear();
  for (std::size_t i = 0; i < stage.groups.size(); ++i) {
    Group& group = stage.groups[i];
    const TensorId gradient = shown_tensor(play, stage, i);
    const bool gives = gives_gradient(group, stage, trace);
    const float there = there_in(play, stage, i, input.view_state.progress);
    group.caption_there *= there;
    for (std::size_t j = 0; j < group.block_count; ++j)
      stage.blocks[group.first_block + j].cells_there = there;
    if (gradient == group.tensor) continue;
    for (std::size_t j = 0; j < group.block_count; ++j)
      show_gradient(stage.blocks[group.first_block + j], trace, gradient);
    if (!gives) {
      if (group.in_figure) hide(stage, group);
      group.note = base::text("stage.caption.no_gradient");
      continue;
    }
    group.tensor = gradient;
    group.title = "d_" + group.title;
    const auto owner = trace.view_of(group.tensor);
    group.note = !gradient.is_whole_gradient() ? words_of_part(trace, gradient)
                 : owner ? base::text("stage.caption.view", {{"tensor", model::name_of(*owner)}})
                         : "";
  }
  stage.backward = true;
  drop_long_notes(stage);
  // Of what the loss does not depend on nothing comes back.
  std::erase_if(ways, [&stage](const WayBack& way) {
    return !stage.blocks[way.to.block].tensor.is_gradient();
  });
  if (!ways.empty()) return travel_back(stage, ways);
  put_turns_back(stage, input, play);
  if (step == lesson::StepId::input) plan_rows_back(stage);
}

void show_read_values(Stage& stage, const FigureInput& input) {
  const model::Trace& trace = input.attention.trace;
  const document::ViewState& view_state = input.view_state;
  // While the step plays, a matrix that is multiplied by is shown itself.
  if (!view_state.cell || view_state.progress < 1.0F || !trace.has(view_state.cell->tensor)) return;
  const model::Explanation made =
      model::explain(trace, view_state.cell->tensor, view_state.cell->index);
  stage.first_piece = std::min(stage.first_piece, stage.blocks.size());
  for (const CellRange& range : sources_on(stage, trace, made)) {
    if (!range.below) continue;
    Block values = stage.blocks[range.block];
    values.tensor = values.tensor.value();
    values.matrix = same_cells_of(values, trace[values.tensor]);
    values.range = value_range(trace[values.tensor]);
    values.colouring = colouring_of(trace, values.tensor);
    values.only_seen = true;  // pointed at is the gradient that lies there
    for (std::size_t row = range.first_row; row <= range.last_row; ++row) {
      stage.blocks.push_back(
          cut(values, row, range.first_column, range.last_column - range.first_column + 1));
    }
    say_what_is_framed(stage, stage.groups[values.group], values.tensor);
  }
}

document::CellRef gradient_cell(const document::ComputedAttention& attention,
                                const document::ViewState& view_state,
                                const document::CellRef& cell, const Stage& stage) {
  const model::Trace& trace = attention.trace;
  const Way way = way_of(trace, view_state);
  for (const TensorId tensor : way.from) {
    if (!trace.has(tensor.gradient())) continue;
    document::CellRef read{tensor.gradient(), document::chosen_index(trace, tensor, view_state)};
    if (stage.blocks.empty() || find_cell(stage, read.tensor, read.index)) return read;
  }
  if (!trace.has(cell.tensor.gradient())) return cell;
  return {cell.tensor.gradient(), cell.index};
}

}  // namespace stage
