#include "stage/figures/step_figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "stage/figures/contributions.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/matrices.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

using model::TensorId;
using tensor::Tensor;

namespace {

constexpr float matrix_caption = 40.0F;
constexpr float over_cells = 6.0F;  // room for the bar in the head's hue
constexpr float sign_width = 28.0F;
constexpr float number_width = 44.0F;
constexpr float widest_cell = 46.0F;
constexpr float highest_row = 34.0F;
constexpr float sum_gap = 12.0F;

/// Everything's place, from left to right.
struct Columns {
  float fan = 0.0F;     ///< for the lines from the query to its keys; 0: there are none
  float labels = 0.0F;  ///< width of the tokens
  float bars = 0.0F;    ///< left end of the bars
  float bar_length = 0.0F;
  float matrix = 0.0F;  ///< width of one matrix
  bool values = false;  ///< there is room for V
  bool result = false;  ///< and for the head's output
  float row = 0.0F;     ///< height of one row
  float top = 0.0F;     ///< of the first row
};

Columns columns_for(const QueryRow& row, const Rect& place) {
  Columns columns;
  const auto keys = static_cast<float>(row.keys());
  const auto dims = static_cast<float>(row.trace().config.head_dim());
  const float under = sum_gap + matrix_caption + 24.0F + over_cells;
  columns.row =
      std::clamp((place.height - matrix_caption - over_cells - under) / keys, 3.0F, highest_row);
  const float used = matrix_caption + over_cells + keys * columns.row + under;
  columns.top =
      place.y + std::max(0.0F, (place.height - used) / 2.0F) + matrix_caption + over_cells;
  for (std::size_t key = 0; key < row.keys(); ++key)
    columns.labels = std::max(columns.labels, text_width(row.key_token(key), 12.0F, false, true));
  columns.labels = std::min(columns.labels, place.width < 480.0F ? 56.0F : 84.0F);
  columns.fan = place.width >= 760.0F ? 132.0F : 0.0F;
  columns.bar_length = place.width >= 600.0F ? 140.0F : 72.0F;
  const float left = columns.fan + columns.labels + 8.0F + columns.bar_length + number_width;
  const float room = place.width - left;
  // Three matrices, two or one: as many as get cells that can be told apart.
  const auto width_of = [&](float count) { return (room - count * sign_width) / count; };
  const float least = std::clamp(dims * 12.0F, 92.0F, 120.0F);  // captions want room too
  columns.result = width_of(3.0F) >= least && place.width >= 700.0F;
  columns.values = width_of(2.0F) >= least;
  const float count = columns.result ? 3.0F : columns.values ? 2.0F : 1.0F;
  columns.matrix =
      std::clamp(width_of(count), 24.0F, std::clamp(dims * widest_cell, 100.0F, 300.0F));
  // All of it in the middle.
  const float width = left + count * (columns.matrix + sign_width);
  const float aside = std::max(0.0F, (place.width - width) / 2.0F);
  columns.bars = place.x + aside + columns.fan + columns.labels + 8.0F;
  return columns;
}

/// The weight at the end of the axis: the next of these above the largest.
float axis_of(const std::vector<float>& weights) {
  constexpr std::array<float, 4> ends = {0.1F, 0.25F, 0.5F, 1.0F};
  const float largest = *std::max_element(weights.begin(), weights.end());
  for (const float end : ends) {
    if (largest <= end) return end;
  }
  return largest;
}

/// Whether the key has room for its token and number: every key has where a row is as high as a
/// line of letters, or else the one with the largest weight of all that the line would reach, if
/// that is more than an equal share.
bool has_line(const std::vector<float>& weights, std::size_t key, float row) {
  constexpr float line = 11.5F;
  const auto reach = static_cast<std::size_t>(line / row);
  if (reach == 0) return true;
  const std::size_t end = std::min(key + reach + 1, weights.size());
  for (std::size_t other = key - std::min(key, reach); other < end; ++other) {
    if (weights[other] > weights[key] || (weights[other] == weights[key] && other < key))
      return false;
  }
  return weights[key] * static_cast<float>(weights.size()) > 1.0F;
}

void put_bars(Figure& figure, const QueryRow& row, const Columns& columns, std::size_t added) {
  const std::vector<float> weights = row.values("attention_weights");
  const float axis = axis_of(weights);
  const float thickness = std::min(columns.row * 0.6F, 18.0F);
  const float type = std::clamp(columns.row * 0.75F, 10.5F, 12.0F);
  float sum = 0.0F;
  for (std::size_t key = 0; key < weights.size(); ++key) {
    const float middle = columns.top + columns.row * (static_cast<float>(key) + 0.5F);
    sum += weights[key];
    const float share = std::clamp(weights[key] / axis, 0.0F, 1.0F);
    const Rect bar{columns.bars, middle - thickness / 2.0F,
                   std::max(1.5F, columns.bar_length * share), thickness};
    const document::CellRef cell = row.cell("attention_weights", key);
    figure.bars.push_back(
        {bar, Tone::head, row.head(), key < added ? 1.0F : 0.35F, weights[key], cell});
    if (has_line(weights, key, columns.row)) {
      const std::string token = cut_to(row.key_token(key), type, columns.labels);
      add_words(figure, {columns.bars - 8.0F, middle}, Side::right, token,
                key < added ? Tone::text : Tone::quiet, type);
      add_number(figure, {columns.bars + columns.bar_length + 4.0F, middle}, Side::left,
                 number_text(weights[key], 3), Tone::text, type)
          .cell = cell;
    }
    const Rect around{columns.bars - 4.0F, middle - columns.row / 2.0F, columns.bar_length + 8.0F,
                      columns.row};
    const float left = columns.bars;
    const float length = columns.bar_length;
    const lesson::AttentionId attention = row.attention().id;
    const tensor::Index index = row.index(key);
    const auto drag = [=](Point at) -> std::optional<document::Command> {
      const float value = std::clamp((at.x - left) / length, 0.0F, 1.0F) * axis;
      return document::DragWeight{attention, index, std::min(value, 1.0F)};
    };
    figure.targets.push_back({around, "weight of " + row.key_token(key), {}, drag});
  }
  const float bottom = columns.top + columns.row * static_cast<float>(weights.size());
  add_line(figure, {columns.bars, columns.top}, {columns.bars, bottom}, Tone::line);
  add_words(figure, {columns.bars, bottom + 12.0F}, Side::left, "Σ", Tone::quiet, 12.0F);
  add_number(figure, {columns.bars + columns.bar_length + 4.0F, bottom + 12.0F}, Side::left,
             number_text(sum, 3), Tone::strong, 12.0F);
  if (!row.trace().overrides.gives(row.sample(), row.head(), row.query())) return;
  // Set by hand: said, and taken back with a press.
  add_words(figure, {columns.bars, bottom + 30.0F}, Side::left, "set by hand · recompute",
            Tone::accent, 11.5F);
  figure.targets.push_back(
      {{columns.bars, bottom + 20.0F, 132.0F, 20.0F},
       "compute these weights from the scores again",
       document::ReleaseWeights{row.attention().id, row.sample(), row.head(), row.query()},
       {}});
}

/// From the query to its keys, as wide as the weights.
void put_fan(Figure& figure, const QueryRow& row, const Columns& columns) {
  const std::vector<float> weights = row.values("attention_weights");
  const float height = columns.row * static_cast<float>(weights.size());
  const float right = columns.bars - columns.labels - 14.0F;
  const float left = right - columns.fan + 76.0F;
  const Point from{left, columns.top + height / 2.0F};
  for (std::size_t key = 0; key < weights.size(); ++key) {
    if (weights[key] <= 0.0F) continue;
    const Point to{right, columns.top + columns.row * (static_cast<float>(key) + 0.5F)};
    const float bend = (to.x - from.x) * 0.5F;
    Stroke stroke;
    stroke.points = {from, {from.x + bend, from.y}, {to.x - bend, to.y}, to};
    stroke.curved = true;
    stroke.tone = Tone::head;
    stroke.head = row.head();
    stroke.width = 0.75F + 9.0F * std::min(weights[key], 1.0F);
    stroke.opacity = 0.55F;
    figure.strokes.push_back(std::move(stroke));
  }
  add_words(figure, {left - 6.0F, from.y}, Side::right, cut_to(row.query_token(), 12.5F, 60.0F),
            Tone::strong, 12.5F);
}

struct Titled {
  std::string title;
  std::string shape;
  bool to_the_end = false;   ///< nothing stands to its right
  std::string shorter = {};  ///< the title where there is no room for the whole of it
};

/// One block under a caption.
Block& add_matrix(Stage& stage, Block block, const Titled& words, const Rect& cells,
                  const Rect& place) {
  Group group;
  group.tensor = block.tensor;
  // As far as the next caption.
  const float room =
      std::min(place.right() - cells.x, std::max(cells.width, 64.0F) + sign_width - 4.0F);
  const std::vector<std::string> titles =
      words.shorter.empty() ? std::vector{words.title} : std::vector{words.title, words.shorter};
  group.title = longest_fitting(titles, 13.0F, words.to_the_end ? place.right() - cells.x : room);
  group.shape = text_width(words.shape, 12.0F, true) <= room ? words.shape : "";
  group.caption = {cells.x, cells.y - over_cells - matrix_caption,
                   std::min(std::max(cells.width, 60.0F), place.right() - cells.x), matrix_caption};
  group.bounds = group.caption.united(cells);
  block.cells = cells;
  block.row_labels.clear();
  block.column_labels.clear();
  block.show_row_labels = false;
  add_group(stage, std::move(group), {std::move(block)});
  return stage.blocks.back();
}

Block block_of_head(const FigureInput& input, TensorId tensor) {
  document::ViewState view_state = input.view_state;
  view_state.all_heads = false;
  return matrices_of(input.attention, tensor, view_state).front();
}

std::string sized(std::string_view rows, std::size_t row_count, std::string_view columns,
                  std::size_t column_count) {
  const auto part = [](std::string_view name, std::size_t count) {
    return (name.empty() ? "" : std::string(name) + " ") + std::to_string(count);
  };
  return "[" + part(rows, row_count) + ", " + part(columns, column_count) + "]";
}

void put_sign(Figure& figure, float x, float y, const char* sign) {
  add_words(figure, {x, y}, Side::centre, sign, Tone::quiet, 14.0F);
}

/// The chosen query's row of the head's matrix.
Block row_of_query(const FigureInput& input, const QueryRow& row, TensorId tensor) {
  Block block = block_of_head(input, tensor);
  block.matrix = block.matrix.narrow(0, row.query(), 1);
  block.corner[2] += row.query();
  block.rows_are_queries = false;
  return block;
}

Block transposed(Block block) {
  block.matrix = block.matrix.transpose(0, 1);
  std::swap(block.row_axis, block.column_axis);
  block.rows_are_queries = false;
  return block;
}

/// The row of the head's output; before the last key has been added, the running sum.
Block sum_row(const FigureInput& input, const QueryRow& row, std::size_t added) {
  Block block = row_of_query(input, row, "head_outputs");
  if (added == row.keys()) return block;
  block.partial = true;
  block.only_seen = true;  // no tensor holds it
  block.matrix = Tensor({1, block.columns()});
  if (added == 0) return block;
  const Tensor sums = running_sums(row.trace(), row.sample(), row.head(), row.query());  // [Lk,D]
  block.matrix = sums.narrow(0, added - 1, 1);
  return block;
}

}  // namespace

std::size_t keys_added(float progress, std::size_t keys) {
  const float added =
      std::floor(std::clamp(progress, 0.0F, 1.0F) * static_cast<float>(keys) + 1e-3F);
  return std::min(keys, static_cast<std::size_t>(added));
}

void put_reweight(Stage& stage, const FigureInput& input, const Rect& given) {
  const QueryRow row(input);
  // Rows of three pixels, captions and the sum: what is smaller than that the camera shrinks.
  const Rect place = at_least(given, 240.0F, 136.0F + 3.0F * static_cast<float>(row.keys()));
  const Columns columns = columns_for(row, place);
  const std::size_t keys = row.keys();
  const std::size_t dims = row.trace().config.head_dim();
  const std::size_t added = keys_added(input.view_state.progress, keys);
  const std::string head = row.and_head();

  Figure figure = figure_in("weighted sum", place);
  const float caption = columns.top - over_cells - matrix_caption;
  add_words(figure, {columns.bars, caption + 9.0F}, Side::left, "weights", Tone::strong, 13.0F);
  add_number(figure, {columns.bars, caption + 27.0F}, Side::left,
             "[Lk " + std::to_string(keys) + "]", Tone::quiet, 11.5F);
  put_bars(figure, row, columns, added);
  if (columns.fan > 0.0F) put_fan(figure, row, columns);

  const float height = columns.row * static_cast<float>(keys);
  const float middle = columns.top + height / 2.0F;
  float x = columns.bars + columns.bar_length + number_width;
  if (columns.values) {
    put_sign(figure, x + sign_width / 2.0F, middle, "×");
    x += sign_width;
    add_matrix(stage, block_of_head(input, "v_heads"),
               {"v_heads" + head, sized("Lk", keys, "D", dims), false, "v_heads"},
               {x, columns.top, columns.matrix, height}, place);
    x += columns.matrix;
  }
  // Without the values between them the products only follow from the weights.
  put_sign(figure, x + sign_width / 2.0F, middle, columns.values ? "=" : "→");
  x += sign_width;
  const Rect products{x, columns.top, columns.matrix, height};
  add_matrix(stage, block_of_head(input, "weighted_values"),
             {"weighted_values", sized("Lk", keys, "D", dims), false}, products, place)
      .shown = added * dims;

  const float sum_height = std::clamp(columns.row, 12.0F, 24.0F);
  const float sum_top = products.bottom() + sum_gap + matrix_caption + over_cells;
  const bool whole = added == keys;
  const std::string counted =
      added == 1 ? "after the first key" : "of the first " + std::to_string(added) + " keys";
  add_matrix(stage, sum_row(input, row, added),
             {whole        ? "head_outputs of " + row.query_token()
              : added == 0 ? "sum so far"
                           : "sum " + counted,
              "[D " + std::to_string(dims) + "]", true, whole ? "head_outputs" : "sum"},
             {x, sum_top, columns.matrix, sum_height}, place);
  x += columns.matrix;
  if (columns.result) {
    const auto queries = static_cast<float>(row.trace().config.query_len);
    const float result_row = std::min(columns.row, height / queries);
    x += sign_width;
    Block& result =
        add_matrix(stage, block_of_head(input, "head_outputs"),
                   {"head_outputs" + head, sized("Lq", row.trace().config.query_len, "D", dims),
                    false, "head_outputs"},
                   {x, columns.top, columns.matrix, result_row * queries}, place);
    result.lit_row = row.query();
    // The sum becomes the query's row of it.
    const Rect from = stage.blocks[stage.blocks.size() - 2].cells;
    const Rect to = result.cell(row.query(), 0);
    Stroke stroke;
    stroke.points = {{from.right() + 3.0F, from.centre().y},
                     {from.right() + 18.0F, from.centre().y},
                     {to.x - 18.0F, to.centre().y},
                     {to.x - 4.0F, to.centre().y}};
    stroke.curved = true;
    figure.strokes.push_back(std::move(stroke));
  }
  stage.figures.push_back(std::move(figure));
}

void put_matrix_vector(Stage& stage, const FigureInput& input, const Rect& given) {
  const QueryRow row(input);
  const Rect place = at_least(
      given,
      std::max(380.0F, 180.0F + 2.0F * sign_width + 8.0F * static_cast<float>(row.keys() + 2)),
      160.0F);
  const std::size_t keys = row.keys();
  const std::size_t dims = row.trace().config.head_dim();
  const float top = place.y + matrix_caption + over_cells + 18.0F;
  const float room = place.bottom() - top - 4.0F;
  const float cell = std::clamp(
      (place.width - 2.0F * sign_width - 150.0F) / static_cast<float>(keys + 2), 8.0F, widest_cell);
  const float row_height =
      std::clamp(room / static_cast<float>(std::max(keys, dims)), 0.1F, highest_row);
  const float column = std::max(cell, 40.0F);

  Figure figure = figure_in("matrix × vector", place);
  const float width = std::max(140.0F, cell * static_cast<float>(keys)) + 2.0F * sign_width +
                      2.0F * column + 110.0F;
  float x = place.x + std::max(0.0F, (place.width - width) / 2.0F);

  const Rect v{x, top, cell * static_cast<float>(keys), row_height * static_cast<float>(dims)};
  add_matrix(stage, transposed(block_of_head(input, "v_heads")),
             {"v_heads, transposed", sized("D", dims, "Lk", keys), false}, v, place);
  x = std::max(v.right(), v.x + 140.0F);  // the caption may need more than the matrix
  // The captions of the two narrow columns need more than their own width.
  const float aside = std::max(0.0F, 138.0F - sign_width - column);
  put_sign(figure, x + sign_width / 2.0F, v.centre().y, "·");
  x += sign_width;

  const Rect w{x, top, column, row_height * static_cast<float>(keys)};
  add_matrix(stage, transposed(row_of_query(input, row, "attention_weights")),
             {"attention_weights", sized("Lk", keys, "", 1), true}, w, place);
  x = w.right() + aside;
  put_sign(figure, x + sign_width / 2.0F, v.centre().y, "=");
  x += sign_width;

  add_matrix(stage, transposed(row_of_query(input, row, "head_outputs")),
             {"head_outputs", sized("D", dims, "", 1), true},
             {x, top, column, row_height * static_cast<float>(dims)}, place);
  stage.figures.push_back(std::move(figure));
}

}  // namespace stage
