#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "document/places/places.hpp"
#include "stage/focus/step_cell.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/layout/matrices/batch_stack.hpp"
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
  // Cells are never higher than wide: a matrix is recognised by its shape.
  const float cell = std::min(24.0F, width / extent_in_cells(first.columns()));
  const float height = std::min(share(place.height - low_caption, down) - head_bar,
                                cell * extent_in_cells(first.rows()));
  Group group;
  group.tensor = first.tensor;
  const std::string name(model::name_of(first.tensor));
  const auto titled = [&](const std::string& which) { group.title = name + ", " + which; };
  titled(count == 1 ? base::text("stage.index.head", {{"index", *first.head}})
                    : std::string(base::text("stage.caption.other_heads")));
  // Not the name alone: that is the title of the product beside it.
  const bool fits = text_width("d_" + group.title, 13.0F, false, true) <= place.width;
  if (!fits && count == 1) titled(std::to_string(*first.head));
  if (!fits && count > 1) group.title = name;
  group.caption = {place.x, place.y, std::min(place.width, caption_width(group)), low_caption};
  group.bounds = group.caption;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t line = i / across;
    blocks[i].column_labels.clear();
    blocks[i].cells = {
        place.x + (width + gap) * static_cast<float>(i % across),
        place.y + low_caption + head_bar + (height + head_bar + gap) * static_cast<float>(line),
        width, height};
    group.bounds = group.bounds.united(blocks[i].cells);
  }
  stage.bounds = stage.bounds.united(group.bounds);
  add_group(stage, std::move(group), std::move(blocks));
}

/// The cell to explain while nothing is being computed: the chosen one, one that is made of the
/// chosen cell of a factor, or one in the chosen row.
Hit cell_at_rest(const FigureInput& input, const model::Node& row, const Stage& stage,
                 const Block& result) {
  const document::ViewState& view_state = input.view_state;
  if (view_state.cell && view_state.cell->tensor == result.tensor) {
    if (const auto place = result.position_of(view_state.cell->index))
      return {0, place->row, place->column};
  }
  const tensor::Index chosen =
      document::chosen_index(input.attention.trace, result.tensor, view_state);
  std::size_t column = chosen[*result.column_axis];
  for (const Block& block : stage.blocks) {
    if (!view_state.cell || block.tensor != row.of[1] || view_state.cell->tensor != row.of[1])
      continue;
    if (const auto place = block.position_of(view_state.cell->index)) column = place->column;
  }
  return {0, std::min(view_state.query, result.rows() - 1), std::min(column, result.columns() - 1)};
}

/// Two factors and what comes of them, laid out so that each row of the left one meets each column
/// of the upper one in a cell of the result.
class Crossing {
 public:
  Crossing(const FigureInput& input, Space space)
      : input_(input),
        row_(*product_of(input.attention.trace, input.view_state)),
        space_(space),
        others_place_{0.0F, 0.0F, space.width, space.height} {
    if (row_.operation == &ops::product && row_.count > 2) bias_ = matrix_of(input, row_.of[2]);
  }

  Stage laid_out() {
    turn_factors();
    reserve_room_for_others();
    measure();
    place_cells();
    place_captions();
    Stage stage;
    add(stage, std::move(left_));
    add(stage, std::move(top_));
    if (bias_) add(stage, std::move(*bias_));
    add(stage, std::move(result_));
    put_motion(stage);
    return stage;
  }

 private:
  /// Turns the upper factor so that its columns are those of the result, and labels it.
  void turn_factors() {
    const model::Trace& trace = input_.attention.trace;
    const auto columns_of = [&](const Block& block) {
      return trace.axes_of(block.tensor)[*block.column_axis];
    };
    const bool of_tokens = !top_.block.row_labels.empty();
    // The rows of the values are summed over, the columns of all other factors.
    transposes_ = columns_of(top_.block) == columns_of(left_.block);
    tokens_on_top_ = of_tokens && transposes_;
    if (transposes_) transpose(top_, trace);
    inner_ = left_.block.columns();
    columns_ = result_.block.columns();
    if (!tokens_on_top_) top_.block.column_labels = numbers(columns_);
    if (transposes_) top_.block.row_labels = numbers(inner_);
    result_.block.column_labels.clear();  // the factor above has them already
    if (!bias_) return;
    transpose(*bias_, trace);
    bias_->block.column_labels.clear();
    bias_->block.row_labels = std::vector<std::string>{"+ b"};
    bias_->group.title = std::string(model::name_of(bias_->block.tensor));
    bias_->group.shape.clear();
    bias_->group.note.clear();
  }

  /// Takes it from the space: below the product, or beside it where there is little height.
  void reserve_room_for_others() {
    roomy_ = space_.height > 300.0F;
    others_ = other_heads(input_, result_.block);
    if (others_.empty()) return;
    if (roomy_) {
      const float rows = 24.0F * extent_in_cells(result_.block.rows());
      others_place_.height = low_caption + head_bar + std::min(rows, 0.16F * space_.height);
      space_.height -= others_place_.height + below_top;
      others_place_.y = space_.height + below_top;
    } else {
      others_place_.width *= 0.22F;
      space_.width -= others_place_.width + below_top;
      others_place_.x = space_.width + below_top;
    }
  }

  /// How large cells are, and what stands around them.
  void measure() {
    const bool narrow = space_.width < 480.0F;
    const float most_words = narrow ? 56.0F : 92.0F;
    sheets_ =
        sheet_step * static_cast<float>(sheet_count(input_.attention, row_.id, input_.view_state));
    words_ = labels_width(left_.block.row_labels, most_words) + label_gap +
             (space_.numbered ? number_room : 0.0F);
    rows_above_ = top_.block.row_labels.empty() ? 10.0F
                  : transposes_                 ? 24.0F
                                : labels_width(top_.block.row_labels, most_words) + label_gap;
    between_ = rows_above_ + (narrow ? 4.0F : 16.0F) + sheets_;
    const float across = extent_in_cells(inner_) + extent_in_cells(columns_);
    cell_width_ =
        std::clamp((space_.width - words_ - between_ - sheets_) / across, 0.5F, widest_cell);
    left_width_ = cell_width_ * extent_in_cells(inner_);
    right_width_ = cell_width_ * extent_in_cells(columns_);
    one_column_ = right_width_ / static_cast<float>(columns_);

    caption_room_ = roomy_ ? caption_height : low_caption;
    if (tokens_on_top_) stand_upright(top_.block, one_column_);
    if (roomy_ && cell_width_ >= smallest_named_column) stand_upright(left_.block, cell_width_);
    over_top_ = caption_room_ + std::max(numbers_line, top_.block.upright_labels) + head_bar;
    over_result_ = caption_room_ + head_bar +
                   (roomy_ ? std::max(numbers_line, left_.block.upright_labels) : 0.0F);
    const float down =
        extent_in_cells(inner_) + extent_in_cells(result_.block.rows()) + (bias_ ? 1.0F : 0.0F);
    const float fixed =
        over_top_ + (bias_ ? bias_gap : 0.0F) + below_top + over_result_ + sheets_ * 2.0F;
    // Cells are wider than high, as numbers are; where the width is scarce, they are square.
    const float most =
        inner_ + columns_ > 40 ? 24.0F : std::max(18.0F, cell_width_ * (narrow ? 1.0F : 0.8F));
    cell_height_ = std::clamp((space_.height - fixed) / down, 1.5F, std::min(highest_cell, most));
    top_height_ = cell_height_ * extent_in_cells(inner_);
    result_height_ = cell_height_ * extent_in_cells(result_.block.rows());
  }

  /// Where columns are narrower than their labels, the labels stand upright.
  void stand_upright(Block& block, float column) const {
    float words = 0.0F;
    for (const std::string& word : block.column_labels)
      words = std::max(words, text_width(word, 11.0F));
    if (space_.height >= 240.0F && column >= smallest_upright_column && words > column - 3.0F)
      block.upright_labels = std::min(words, most_upright) + 3.0F;
  }

  void place_cells() {
    x_ = words_ + left_width_ + between_;
    top_.block.cells = {x_, over_top_, right_width_, top_height_};
    const float one_row = top_height_ / static_cast<float>(inner_);
    top_.block.show_row_labels = !top_.block.row_labels.empty() && one_row >= 9.0F;
    if (one_column_ < smallest_named_column && top_.block.upright_labels == 0.0F)
      top_.block.column_labels.clear();
    y_ = over_top_ + top_height_;
    corner_bottom_ = y_;
    if (bias_) {
      bias_->block.cells = {x_, y_ + bias_gap, right_width_, cell_height_};
      bias_->block.show_row_labels = cell_height_ >= 9.0F;
      corner_bottom_ = bias_->block.cells.y - 4.0F;
      y_ += bias_gap + cell_height_;
    }
    y_ += below_top + sheets_;
    result_.block.cells = {x_, y_ + over_result_, right_width_, result_height_};
    left_.block.cells = {words_, y_ + over_result_, left_width_, result_height_};
    const float token_row = result_height_ / static_cast<float>(result_.block.rows());
    left_.block.show_row_labels = token_row >= 9.0F;
    left_.block.show_row_numbers = left_.block.show_row_labels && space_.numbered;
    result_.block.show_row_labels = false;
    if (!roomy_ || cell_width_ < smallest_named_column) left_.block.column_labels.clear();
  }

  void place_captions() {
    const float right_room = std::max(right_width_ + sheets_, space_.width - x_);
    put_caption(top_, x_, 0.0F, right_room);
    put_caption(result_, x_, y_, right_room);
    put_caption(left_, words_, y_, left_width_ + between_ - 12.0F);
    const float height = over_result_ + result_height_ + sheets_;
    left_.group.bounds = {0.0F, y_, words_ + left_width_, height};
    top_.group.bounds = {x_ - rows_above_, 0.0F, rows_above_ + right_width_,
                         over_top_ + top_height_};
    result_.group.bounds = {x_, y_, right_width_ + sheets_, height};
    if (!bias_) return;
    // Factors fly to their sum through the gap before the product: the name leaves it free.
    const float width = text_width("d_" + bias_->group.title, 13.0F, false, true);
    const float before_gap = left_of_product() - 2.0F - width;
    bias_->group.caption = {before_gap > 0.0F ? before_gap : x_ - 8.0F - width,
                            bias_->block.cells.centre().y - 5.0F, width, 11.0F};
  }

  /// Shows as much of a caption as fits, but always the name.
  void put_caption(Matrix& made, float x, float y, float room) const {
    if (text_width(made.group.title, 13.0F, false, true) > room) {
      if (made.transposed) made.group.shape = base::text("stage.caption.transposed.short");
      made.group.title = std::string(model::name_of(made.block.tensor));
    }
    if (!roomy_ || caption_width(made.group) > room) made.group.shape.clear();
    if (made.group.shape.empty() || caption_width(made.group, true) > room) made.group.note.clear();
    // The name keeps the height that it has with a shape below it.
    const float width = std::min(room, caption_width(made.group, true));
    made.group.caption = {x, y, std::max(width, 40.0F), caption_room_};
  }

  /// Some cells of the chosen row are computed slowly, in detail. All others follow quickly.
  void put_motion(Stage& stage) {
    const std::size_t made = stage.blocks.size() - 1;
    const Block& block = stage.blocks[made];  // until other blocks are added
    Hit focus = cell_at_rest(input_, row_, stage, block);
    focus.block = made;
    Sweep sweep{made};
    const bool starts_row = block.columns_per_head == 0;
    const std::size_t first = starts_row ? 0 : focus.column - focus.column % block.columns_per_head;
    sweep.slow_first = focus.row * columns_ + first;
    sweep.slow_count = std::min(cells_in_detail, columns_ - first);
    stage.sweeps.push_back(sweep);
    lay_other_samples(stage, input_);
    if (!others_.empty()) put_others(stage);
    if (input_.view_state.guessing) return;
    RunningSum sum = explained_by(sweep, stage.blocks[made], focus, input_.view_state.progress);
    sum.place = {0.0F, 0.0F, left_of_product(), corner_bottom_};
    put_running_sum(stage, input_, sum);
  }

  /// Close by: below the product if they fit there at their largest.
  void put_others(Stage& stage) {
    const float largest =
        (28.0F * extent_in_cells(columns_) + 10.0F) * static_cast<float>(others_.size());
    if (roomy_ && x_ + largest <= others_place_.width) {
      others_place_.x = x_;
      others_place_.width -= x_;
    }
    if (roomy_) others_place_.y = std::min(others_place_.y, stage.bounds.bottom() + below_top);
    lay_other_heads(stage, std::move(others_), others_place_);
  }

  float left_of_product() const { return x_ - rows_above_ - 16.0F; }

  const FigureInput& input_;
  const model::Node& row_;
  Matrix left_ = matrix_of(input_, row_.of[0]);
  Matrix top_ = matrix_of(input_, row_.of[1]);
  Matrix result_ = matrix_of(input_, row_.id);
  std::optional<Matrix> bias_;
  std::vector<Block> others_;

  Space space_;        ///< without that of the other heads
  Rect others_place_;  ///< of the other heads
  bool roomy_ = false;
  bool transposes_ = false;
  bool tokens_on_top_ = false;
  std::size_t inner_ = 0;  ///< columns of the left factor, over which is summed
  std::size_t columns_ = 0;
  // See measure().
  float sheets_ = 0.0F;      ///< what other samples of the batch show of themselves
  float words_ = 0.0F;       ///< in front of the left factor
  float rows_above_ = 0.0F;  ///< words in front of the upper factor
  float between_ = 0.0F;
  float cell_width_ = 0.0F;
  float cell_height_ = 0.0F;
  float one_column_ = 0.0F;
  float left_width_ = 0.0F;
  float right_width_ = 0.0F;
  float top_height_ = 0.0F;
  float result_height_ = 0.0F;
  float caption_room_ = 0.0F;
  float over_top_ = 0.0F;
  float over_result_ = 0.0F;
  // See place_cells().
  float x_ = 0.0F;  ///< of the upper factor and the result
  float y_ = 0.0F;  ///< of the left factor and the result, with their captions
  float corner_bottom_ = 0.0F;
};

}  // namespace

bool has_crossing(const FigureInput& input) {
  return product_of(input.attention.trace, input.view_state) != nullptr;
}

Stage crossing(const FigureInput& input, Space space) { return Crossing(input, space).laid_out(); }

}  // namespace stage
