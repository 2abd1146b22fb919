#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "document/places/places.hpp"
#include "stage/focus/step_cell.hpp"
#include "stage/layout/batch_stack.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/layout/steps/running_sum.hpp"
#include "stage/layout/steps/step_layouts.hpp"
#include "stage/motion/motion.hpp"
#include "stage/scene/drawing.hpp"
#include "stage/scene/matrices.hpp"

namespace stage {

using model::TensorId;

namespace {

constexpr float low_caption = 22.0F;  // room for the name only
constexpr float numbers_line = 16.0F;
constexpr float smallest_named_column = 20.0F;
constexpr float most_upright = 64.0F;
constexpr float bias_gap = 6.0F;
constexpr float below_top = 14.0F;
constexpr float widest_cell = 96.0F;
constexpr float highest_cell = 72.0F;
constexpr std::size_t cells_in_detail = 3;

/// A factor or the result, with its caption.
struct Matrix {
  Group group;
  Block block;
  bool transposed = false;
};

/// The row of the computation's table that makes the step's tensor, if that is a complete product
/// or a weighted sum, which is one; otherwise null.
const model::Node* product_of(const model::Trace& trace, const document::ViewState& view_state) {
  const model::Node* row = trace.made_by(way_of(trace, view_state).to);
  if (row == nullptr || row->count < 2) return nullptr;
  return row->operation == &ops::product || row->operation == &ops::weighted_sum ? row : nullptr;
}

Matrix matrix_of(const FigureInput& input, TensorId tensor) {
  document::ViewState view_state = input.view_state;
  view_state.all_heads = false;  // one row meets one column within one head
  Matrix made{caption_of(input.attention, tensor, view_state),
              matrices_of(input.attention, tensor, view_state).front()};
  // Where factors come from is said elsewhere; that k and v are a cache, here, where they are made.
  if (input.attention.trace.view_of(tensor)) made.group.note.clear();
  return made;
}

void transpose(Matrix& made, const model::Trace& trace) {
  Block& block = made.block;
  block.matrix = block.matrix.transpose(0, 1);
  std::swap(block.row_axis, block.column_axis);
  std::swap(block.rows_per_head, block.columns_per_head);
  std::swap(block.row_labels, block.column_labels);
  block.rows_are_queries = false;
  block.row_heads.clear();
  made.transposed = true;
  made.group.title = base::text("stage.caption.transposed", {{"name", made.group.title}});
  if (!block.row_axis || !block.column_axis) return;
  const ops::Axes axes = trace.axes_of(block.tensor);
  const auto part = [&](std::size_t axis, std::size_t count) {
    return std::string(name_of(axes[axis], trace.lengths)) + " " + std::to_string(count);
  };
  made.group.shape = "[" + part(*block.row_axis, block.rows()) + ", " +
                     part(*block.column_axis, block.columns()) + "]";
}

WordList numbers(std::size_t count) {
  std::vector<std::string> words;
  for (std::size_t i = 0; i < count && count <= 12; ++i) words.push_back(std::to_string(i));
  return words;
}

void add(Stage& stage, Matrix made) {
  made.group.bounds = made.group.bounds.united(made.group.caption).united(made.block.cells);
  stage.bounds = stage.bounds.united(made.group.bounds);
  add_group(stage, std::move(made.group), {std::move(made.block)});
}

/// Puts the other samples of the batch under each matrix that has a batch axis.
void lay_other_samples(Stage& stage, const FigureInput& input) {
  for (std::size_t depth = most_sheets; depth >= 1; --depth) {
    for (std::size_t i = 0; i < stage.blocks.size(); ++i) {
      const Block& block = stage.blocks[i];
      if (sheet_count(input.attention, block.tensor, input.view_state) < depth) continue;
      const std::size_t batch = input.attention.trace.config.batch;
      document::ViewState view_state = input.view_state;
      view_state.sample = (view_state.sample + depth) % batch;
      view_state.all_heads = false;
      tensor::Tensor matrix = matrices_of(input.attention, block.tensor, view_state).front().matrix;
      if (matrix.shape() != block.matrix.shape()) matrix = matrix.transpose(0, 1);
      if (matrix.strides() != block.matrix.strides()) matrix = matrix.transpose(0, 1);
      stage.sheets.push_back({i, depth, view_state.sample, matrix});
    }
  }
}

/// The other heads' results, where the reader wants to see all heads. They are shown finished,
/// since only one head's row and column can be explained at a time.
std::vector<Block> other_heads(const FigureInput& input, const Block& result) {
  std::vector<Block> blocks;
  if (!input.view_state.all_heads || !result.head) return blocks;
  blocks = matrices_of(input.attention, result.tensor, input.view_state);
  std::erase_if(blocks, [&](const Block& block) { return block.head == result.head; });
  return blocks;
}

/// Places the other heads below everything else, or beside it where there is little height.
void lay_other_heads(Stage& stage, std::vector<Block> blocks, const Rect& place) {
  constexpr float gap = 10.0F;
  const std::size_t count = blocks.size();
  const std::size_t across = place.width > place.height ? count : (count + 2) / 3;
  const std::size_t down = (count + across - 1) / across;
  const auto share = [](float room, std::size_t parts) {
    return std::max(2.0F, (room + gap) / static_cast<float>(parts) - gap);
  };
  const Block& first = blocks.front();
  const float width =
      std::min(share(place.width, across), 28.0F * extent_in_cells(first.columns()));
  const float height = std::min(share(place.height - low_caption, down) - head_bar,
                                24.0F * extent_in_cells(first.rows()));
  Group group;
  group.tensor = first.tensor;
  group.title = std::string(model::name_of(first.tensor)) + ", " +
                (count == 1 ? base::text("stage.index.head", {{"index", *first.head}})
                            : std::string(base::text("stage.caption.other_heads")));
  if (text_width("d_" + group.title, 13.0F, false, true) > place.width)
    group.title = model::name_of(first.tensor);
  group.caption = {place.x, place.y, std::min(place.width, caption_width(group)), low_caption};
  group.bounds = group.caption;
  for (std::size_t i = 0; i < count; ++i) {
    blocks[i].column_labels.clear();
    blocks[i].cells = {place.x + (width + gap) * static_cast<float>(i % across),
                       place.y + low_caption + head_bar +
                           (height + head_bar + gap) * static_cast<float>(i / across),
                       width, height};
    group.bounds = group.bounds.united(blocks[i].cells);
  }
  stage.bounds = stage.bounds.united(group.bounds);
  add_group(stage, std::move(group), std::move(blocks));
}

/// The cell to explain while nothing is being computed: the chosen one, or one in the chosen row.
Hit cell_at_rest(const FigureInput& input, const Block& result) {
  const document::ViewState& view_state = input.view_state;
  if (view_state.cell && view_state.cell->tensor == result.tensor) {
    if (const auto place = result.position_of(view_state.cell->index))
      return {0, place->row, place->column};
  }
  const tensor::Index chosen =
      document::chosen_index(input.attention.trace, result.tensor, view_state);
  const std::size_t column = chosen[*result.column_axis];
  return {0, std::min(view_state.query, result.rows() - 1), std::min(column, result.columns() - 1)};
}

}  // namespace

bool has_crossing(const FigureInput& input) {
  return product_of(input.attention.trace, input.view_state) != nullptr;
}

Stage crossing(const FigureInput& input, Space space) {
  const model::Trace& trace = input.attention.trace;
  const model::Node& row = *product_of(trace, input.view_state);
  Matrix left = matrix_of(input, row.of[0]);
  Matrix top = matrix_of(input, row.of[1]);
  Matrix result = matrix_of(input, row.id);
  std::optional<Matrix> bias;
  if (row.operation == &ops::product && row.count > 2) bias = matrix_of(input, row.of[2]);

  const bool of_tokens = !top.block.row_labels.empty();
  const auto columns_of = [&](const Block& block) {
    return trace.axes_of(block.tensor)[*block.column_axis];
  };
  // The rows of the values are summed over, the columns of all other factors.
  const bool transposes = columns_of(top.block) == columns_of(left.block);
  if (transposes) transpose(top, trace);
  const std::size_t inner = left.block.columns();
  const std::size_t columns = result.block.columns();
  if (!of_tokens || !transposes) top.block.column_labels = numbers(columns);
  if (transposes) top.block.row_labels = numbers(inner);
  result.block.column_labels.clear();  // the factor above has them already
  if (bias) {
    transpose(*bias, trace);
    bias->block.column_labels.clear();
    bias->group.title = std::string(model::name_of(bias->block.tensor));
    bias->group.shape.clear();
    bias->group.note.clear();
  }

  // Reserve room for the other heads.
  const bool roomy = space.height > 300.0F;
  std::vector<Block> others = other_heads(input, result.block);
  Rect place{0.0F, 0.0F, space.width, space.height};
  if (!others.empty() && roomy) {
    const float rows = 24.0F * extent_in_cells(result.block.rows());
    place.height = low_caption + head_bar + std::min(rows, 0.16F * space.height);
    space.height -= place.height + below_top;
    place.y = space.height + below_top;
  } else if (!others.empty()) {
    place.width *= 0.22F;
    space.width -= place.width + below_top;
    place.x = space.width + below_top;
  }

  const bool narrow = space.width < 480.0F;
  const float sheets =
      sheet_step * static_cast<float>(sheet_count(input.attention, row.id, input.view_state));
  const float words = labels_width(left.block.row_labels, narrow ? 56.0F : 92.0F) + label_gap;
  const float rows_above =
      top.block.row_labels.empty() ? 10.0F
      : transposes                 ? 24.0F
                   : labels_width(top.block.row_labels, narrow ? 56.0F : 92.0F) + label_gap;
  const float between = rows_above + (narrow ? 4.0F : 16.0F) + sheets;
  const float across = extent_in_cells(inner) + extent_in_cells(columns);
  const float cell_width =
      std::clamp((space.width - words - between - sheets) / across, 0.5F, widest_cell);
  const float left_width = cell_width * extent_in_cells(inner);
  const float right_width = cell_width * extent_in_cells(columns);

  const float caption_room = roomy ? caption_height : low_caption;
  // Where columns are narrower than their labels, the labels stand upright.
  const float one_column = right_width / static_cast<float>(columns);
  const auto stand_upright = [&](Block& block, float column) {
    float words = 0.0F;
    for (const std::string& word : block.column_labels)
      words = std::max(words, text_width(word, 11.0F));
    if (space.height >= 240.0F && column >= smallest_upright_column && words > column - 3.0F)
      block.upright_labels = std::min(words, most_upright) + 3.0F;
  };
  if (of_tokens && transposes) stand_upright(top.block, one_column);
  if (roomy && cell_width >= smallest_named_column) stand_upright(left.block, cell_width);
  const float over_top = caption_room + std::max(numbers_line, top.block.upright_labels) + head_bar;
  const float down =
      extent_in_cells(inner) + extent_in_cells(result.block.rows()) + (bias ? 1.0F : 0.0F);
  const float over_result =
      caption_room + head_bar + (roomy ? std::max(numbers_line, left.block.upright_labels) : 0.0F);
  const float fixed = over_top + (bias ? bias_gap : 0.0F) + below_top + over_result + sheets * 2.0F;
  // Cells are wider than high, as numbers are; where the width is scarce, they are square.
  const float most =
      inner + columns > 40 ? 24.0F : std::max(18.0F, cell_width * (narrow ? 1.0F : 0.8F));
  const float cell_height =
      std::clamp((space.height - fixed) / down, 1.5F, std::min(highest_cell, most));
  const float top_height = cell_height * extent_in_cells(inner);
  const float result_height = cell_height * extent_in_cells(result.block.rows());

  const float x = words + left_width + between;
  float y = over_top;
  top.block.cells = {x, y, right_width, top_height};
  const float one_row = top_height / static_cast<float>(inner);
  top.block.show_row_labels = !top.block.row_labels.empty() && one_row >= 9.0F;
  if (one_column < smallest_named_column && top.block.upright_labels == 0.0F)
    top.block.column_labels.clear();
  y += top_height;
  if (bias) {
    bias->block.cells = {x, y + bias_gap, right_width, cell_height};
    y += bias_gap + cell_height;
  }
  const float corner_bottom = bias ? bias->block.cells.y - 4.0F : y;
  y += below_top + sheets;
  result.block.cells = {x, y + over_result, right_width, result_height};
  left.block.cells = {words, y + over_result, left_width, result_height};
  const float token_row = result_height / static_cast<float>(result.block.rows());
  left.block.show_row_labels = token_row >= 9.0F;
  result.block.show_row_labels = false;
  if (!roomy || cell_width < smallest_named_column) left.block.column_labels.clear();

  // Shows as much of a caption as fits, but always the name.
  const auto caption = [&](Matrix& made, float from, float top_of_it, float room) {
    const std::string name(model::name_of(made.block.tensor));
    if (text_width(made.group.title, 13.0F, false, true) > room) {
      if (made.transposed) made.group.shape = base::text("stage.caption.transposed.short");
      made.group.title = name;
    }
    if (!roomy || caption_width(made.group) > room) made.group.shape.clear();
    if (made.group.shape.empty() || caption_width(made.group, true) > room) made.group.note.clear();
    // The name keeps the height that it has with a shape below it.
    made.group.caption = {from, top_of_it,
                          std::max(std::min(room, caption_width(made.group, true)), 40.0F),
                          caption_room};
  };
  const float right_room = std::max(right_width + sheets, space.width - x);
  caption(top, x, 0.0F, right_room);
  caption(result, x, y, right_room);
  caption(left, words, y, left_width + between - 12.0F);
  left.group.bounds = {0.0F, y, words + left_width, over_result + result_height + sheets};
  top.group.bounds = {x - rows_above, 0.0F, rows_above + right_width, over_top + top_height};
  if (bias) {
    // Factors fly to their sum through the gap before the product: the name leaves it free.
    const float width = text_width("d_" + bias->group.title, 13.0F, false, true);
    const float before_gap = x - rows_above - 16.0F - 24.0F - width;
    bias->group.caption = {before_gap > 0.0F ? before_gap : x - 8.0F - width,
                           bias->block.cells.centre().y - 5.0F, width, 11.0F};
  }
  result.group.bounds = {x, y, right_width + sheets, over_result + result_height + sheets};
  Stage stage;
  add(stage, std::move(left));
  add(stage, std::move(top));
  if (bias) add(stage, std::move(*bias));
  add(stage, std::move(result));

  // Some cells of the chosen row are computed slowly, in detail. All others follow quickly.
  const std::size_t made = stage.blocks.size() - 1;
  const Block& block = stage.blocks[made];  // until other blocks are added
  Hit focus = cell_at_rest(input, block);
  focus.block = made;
  Sweep sweep{made};
  const bool starts_row = block.columns_per_head == 0;
  const std::size_t first = starts_row ? 0 : focus.column - focus.column % block.columns_per_head;
  sweep.slow_first = focus.row * columns + first;
  sweep.slow_count = std::min(cells_in_detail, columns - first);
  stage.sweeps.push_back(sweep);
  lay_other_samples(stage, input);
  if (!others.empty()) {
    // Place the other heads close by: below the product if they fit there at their largest.
    const float largest =
        (28.0F * extent_in_cells(columns) + 10.0F) * static_cast<float>(others.size());
    if (roomy && x + largest <= place.width) {
      place.x = x;
      place.width -= x;
    }
    if (roomy) place.y = std::min(place.y, stage.bounds.bottom() + below_top);
    lay_other_heads(stage, std::move(others), place);
  }
  if (input.view_state.guessing) return stage;

  RunningSum sum = explained_by(sweep, stage.blocks[made], focus, input.view_state.progress);
  sum.place = {0.0F, 0.0F, x - rows_above - 16.0F, corner_bottom};
  put_running_sum(stage, input, sum);
  return stage;
}

}  // namespace stage
