#include "stage/figures/step_figures.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/drawing.hpp"
#include "stage/scene/matrices.hpp"

namespace stage {

using model::TensorId;

namespace {

constexpr float over_cells = 6.0F;  // room for the bar in the head's hue
constexpr float sign_column = 28.0F;
constexpr float widest_vector_cell = 46.0F;
constexpr float highest_row = 34.0F;

struct Titled {
  std::string title;
  std::string shape;
  bool to_the_end = false;  ///< it may extend to the right end of the figure
};

/// Adds one block with its caption.
Block& add_matrix(Stage& stage, Block block, const Titled& words, const Rect& cells,
                  const Rect& place) {
  Group group;
  group.tensor = block.tensor;
  // The room up to the next caption.
  const float room =
      std::min(place.right() - cells.x, std::max(cells.width, 64.0F) + sign_column - 4.0F);
  group.title = cut_to(words.title, 13.0F, words.to_the_end ? place.right() - cells.x : room);
  group.shape = text_width(words.shape, 12.0F, true) <= room ? words.shape : "";
  group.caption = {cells.x, cells.y - over_cells - caption_height,
                   std::min(std::max(cells.width, 60.0F), place.right() - cells.x), caption_height};
  group.bounds = group.caption.united(cells);
  block.cells = cells;
  add_group(stage, std::move(group), {std::move(block)});
  return stage.blocks.back();
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
  Block block = matrix_of_head(input.attention, input.view_state, tensor);
  block.matrix = block.matrix.narrow(0, row.query(), 1);
  block.corner[2] += row.query();
  return block;
}

Block transposed(Block block) {
  block.matrix = block.matrix.transpose(0, 1);
  std::swap(block.row_axis, block.column_axis);
  return block;
}

}  // namespace

void put_matrix_vector(Stage& stage, const FigureInput& input, const Rect& given) {
  const QueryRow row(input);
  const Rect place = at_least(
      given,
      std::max(380.0F, 180.0F + 2.0F * sign_column + 8.0F * static_cast<float>(row.keys() + 2)),
      160.0F);
  const std::size_t keys = row.keys();
  const std::size_t dims = row.trace().config.head_dim();
  const float top = place.y + caption_height + over_cells + 18.0F;
  const float room = place.bottom() - top - 4.0F;
  const float cell =
      std::clamp((place.width - 2.0F * sign_column - 150.0F) / static_cast<float>(keys + 2), 8.0F,
                 widest_vector_cell);
  const float row_height =
      std::clamp(room / static_cast<float>(std::max(keys, dims)), 0.1F, highest_row);
  const float column = std::max(cell, 40.0F);

  Figure figure = figure_in("matrix-vector", place);
  const float width = std::max(140.0F, cell * static_cast<float>(keys)) + 2.0F * sign_column +
                      2.0F * column + 110.0F;
  float x = place.x + std::max(0.0F, (place.width - width) / 2.0F);

  const Rect v{x, top, cell * static_cast<float>(keys), row_height * static_cast<float>(dims)};
  add_matrix(stage, transposed(matrix_of_head(input.attention, input.view_state, "v_heads")),
             {base::text("stage.caption.transposed", {{"name", "v_heads"}}),
              sized("D", dims, "Lk", keys), false},
             v, place);
  x = std::max(v.right(), v.x + 140.0F);  // the caption can be wider than the matrix
  // The captions of the two narrow columns are wider than the columns.
  const float aside = std::max(0.0F, 138.0F - sign_column - column);
  put_sign(figure, x + sign_column / 2.0F, v.centre().y, "·");
  x += sign_column;

  const Rect w{x, top, column, row_height * static_cast<float>(keys)};
  add_matrix(stage, transposed(row_of_query(input, row, "attention_weights")),
             {"attention_weights", sized("Lk", keys, "", 1), true}, w, place);
  x = w.right() + aside;
  put_sign(figure, x + sign_column / 2.0F, v.centre().y, "=");
  x += sign_column;

  add_matrix(stage, transposed(row_of_query(input, row, "head_outputs")),
             {"head_outputs", sized("D", dims, "", 1), true},
             {x, top, column, row_height * static_cast<float>(dims)}, place);
  stage.figures.push_back(std::move(figure));
}

}  // namespace stage
