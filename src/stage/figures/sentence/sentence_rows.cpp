// The query's row before and after attention mixes in the values.
#include <algorithm>
#include <cmath>
#include <string>

#include "base/text.hpp"
#include "stage/figures/contributions.hpp"
#include "stage/figures/sentence/sentence_parts.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/matrices.hpp"

namespace stage::sentence {

using model::TensorId;

namespace {

constexpr float feature_type = 10.5F;

struct RowPlace {
  float x = 0.0F;
  float top = 0.0F;    ///< top of the caption
  float above = 0.0F;  ///< distance from there to the cells
  float cell = 0.0F;
  std::size_t columns = 0;
  float width = 0.0F;  ///< that the caption may take
};

/// How many numbers there are, or how many of them have room.
std::string numbers_words(std::size_t shown, std::size_t all) {
  if (shown == all) return base::counted_text("stage.sentence.numbers", all);
  return base::text("stage.sentence.first_numbers", {{"shown", shown}, {"all", all}});
}

/// One row of a matrix under its caption, with as many columns as fit.
void put_row(Stage& stage, Figure& figure, const document::ComputedAttention& attention,
             Block block, const RowPlace& place, float height, const std::string& title,
             const std::string& name) {
  const auto axes = attention.trace.axes_of(block.tensor);
  const model::Axis column_axis = axes[axes.rank() - 1];
  const std::size_t all = block.columns();
  const std::size_t columns = std::min(place.columns, all);
  if (columns < all) block.matrix = block.matrix.narrow(1, 0, columns);
  block.cells = {place.x, place.top + place.above, place.cell * static_cast<float>(columns),
                 height};
  block.rows_are_queries = false;
  block.row_labels.clear();
  block.column_labels.clear();
  for (std::size_t column = 0; column < columns; ++column) {
    const std::string_view feature =
        document::feature_name(attention, column_axis, block.head.value_or(0), column);
    if (feature.empty()) continue;
    const Rect cell = block.cell(0, column);
    figure.words.push_back(words_at({cell.centre().x, cell.y - over_cells - 7.0F}, Side::centre,
                                    cut_to(std::string(feature), feature_type, cell.width + 2.0F),
                                    Tone::quiet, feature_type));
  }
  block.columns_per_head = 0;
  block.row_heads.clear();
  block.group = stage.groups.size();

  const std::string numbers = numbers_words(columns, all);
  const float y = place.top + (caption_height - over_cells) / 2.0F - 1.0F;
  figure.words.push_back(words_at({place.x, y}, Side::left, title, Tone::strong, 13.0F));
  const float after = text_width(title, 13.0F, false, true) + 10.0F;
  // It matters more that some numbers are left out than what the row is called.
  const Lengths said = columns < all ? Lengths{name + ", " + numbers, numbers, ""}
                                     : Lengths{name + ", " + numbers, name, numbers, ""};
  const std::string more = longest_fitting(said, small_type, place.width - after);
  if (!more.empty())
    figure.words.push_back(
        words_at({place.x + after, y}, Side::left, more, Tone::quiet, small_type));

  Group group;
  group.tensor = block.tensor;
  group.title = std::string(model::name_of(block.tensor));
  group.shape = "[" + std::to_string(columns) + "]";
  group.in_figure = true;
  group.bounds = block.cells;
  group.caption = {place.x, place.top, place.width, caption_height - over_cells};
  group.first_block = stage.blocks.size();
  group.block_count = 1;
  stage.groups.push_back(std::move(group));
  stage.blocks.push_back(std::move(block));
}

Block one_row(const FigureInput& input, const QueryRow& row, TensorId tensor) {
  document::ViewState view_state = input.view_state;
  view_state.all_heads = false;
  view_state.head = row.head();
  view_state.sample = row.sample();
  Block block = matrices_of(input.attention, tensor, view_state).front();
  block.matrix = block.matrix.narrow(0, row.query(), 1);
  block.corner[*block.row_axis] += row.query();
  return block;
}

/// The query's row of the head's output; until all keys have arrived, the sum over those that have.
Block row_after(const FigureInput& input, const QueryRow& row, const Line& keys, float progress) {
  Block block = one_row(input, row, "head_outputs");
  const std::size_t here = arrived(progress, keys.tokens.size());
  if (here == keys.tokens.size()) return block;
  block.partial = true;
  block.only_seen = true;  // no tensor holds it
  if (here == 0) {
    block.shown = 0;
    return block;
  }
  block.matrix = running_sums(row.trace(), row.sample(), row.head(), row.query())
                     .narrow(0, keys.tokens[here - 1], 1);
  return block;
}

}  // namespace

void put_rows(Stage& stage, Figure& figure, const FigureInput& input, const QueryRow& row,
              const Places& places, float progress) {
  constexpr float between = 96.0F;  // for the arrow between the rows
  constexpr float least_cell = 40.0F;
  const Rect& all = places.all;
  Block before = one_row(input, row, "query_input");
  Block after = row_after(input, row, places.keys, progress);
  const std::size_t wide = before.columns() + after.columns();
  const float room = places.stacked ? all.width : all.width - between;
  const auto fit = static_cast<std::size_t>(room / least_cell);
  RowPlace first{all.x, places.rows_top, places.over_row(), 0.0F, before.columns(), all.width};
  RowPlace second = first;
  second.columns = after.columns();
  const std::string word = cut_to(row.query_token(), 13.0F, 110.0F);
  const std::string title_before = base::text("stage.sentence.before", {{"token", word}});
  const std::string whole = base::text("stage.sentence.after", {{"token", word}});
  const std::string so_far = base::text("stage.sentence.so_far", {{"token", word}});
  const std::string& title_after = after.partial ? so_far : whole;
  if (places.stacked) {
    first.columns = std::min(first.columns, fit);
    second.columns = std::min(second.columns, fit);
    const auto most = static_cast<float>(std::max(first.columns, second.columns));
    first.cell = second.cell = std::min(room / most, 72.0F);
    second.top += places.over_row() + places.cell_height + stacked_gap;
  } else {
    if (wide > fit) {
      second.columns =
          std::min(second.columns, std::max(fit / 2, fit - std::min(fit, first.columns)));
      first.columns = std::min(first.columns, fit - second.columns);
    }
    // The row after is at least as wide as its captions, so that it stays while it is made.
    const float caption =
        std::max(text_width(whole, 13.0F, false, true), text_width(so_far, 13.0F, false, true));
    const auto widest_cell = [&] {
      const auto all_columns = static_cast<float>(first.columns + second.columns);
      const auto others = static_cast<float>(first.columns);
      const float cell = std::min(room / all_columns, 76.0F);
      return cell * static_cast<float>(second.columns) < caption
                 ? std::min(cell, (room - caption) / others)
                 : cell;
    };
    while (first.columns > 1 && widest_cell() < least_cell) --first.columns;
    first.cell = second.cell = widest_cell();
    const float arrow = first.x + first.cell * static_cast<float>(first.columns);
    const float wanted =
        std::max({second.cell * static_cast<float>(second.columns), caption, 250.0F});
    second.x = std::max(arrow + between, all.right() - wanted);
    second.width = all.right() - second.x;
    first.width = second.x - first.x - 8.0F;
  }
  const bool heads = row.trace().config.num_heads > 1;
  const std::string made =
      heads ? base::text("stage.sentence.head_of",
                         {{"head", head_words(row.trace(), "head_outputs", row.head())},
                          {"tensor", "head_outputs"}})
            : base::text("stage.sentence.row_of", {{"tensor", "head_outputs"}});
  put_row(stage, figure, row.attention(), std::move(before), first, places.cell_height,
          title_before, base::text("stage.sentence.row_of", {{"tensor", "query_input"}}));
  put_row(stage, figure, row.attention(), std::move(after), second, places.cell_height, title_after,
          made);
  if (places.stacked) return;
  const float y = places.rows_top + places.over_row() + places.cell_height / 2.0F;
  Stroke arrow = line_between({first.x + first.cell * static_cast<float>(first.columns) + 14.0F, y},
                              {second.x - 14.0F, y}, Tone::text);
  arrow.arrow = true;
  arrow.width = 1.5F;
  const float length = arrow.points[1].x - arrow.points[0].x;
  const std::string said =
      longest_fitting({base::text("stage.sentence.mixture", {{"count", row.keys()}}),
                       base::text("stage.sentence.mixture.short", {{"count", row.keys()}}), ""},
                      small_type, length);
  const Point above{(arrow.points[0].x + arrow.points[1].x) / 2.0F, y - 11.0F};
  if (!said.empty())
    figure.words.push_back(words_at(above, Side::centre, said, Tone::quiet, small_type));
  if (heads) {
    const std::string width =
        base::counted_text("stage.sentence.per_head", row.trace().config.head_dim(),
                           {{"heads", row.trace().config.num_heads}});
    if (text_width(width, small_type) <= length)
      figure.words.push_back(
          words_at({above.x, y + 11.0F}, Side::centre, width, Tone::quiet, small_type));
  }
  figure.strokes.push_back(std::move(arrow));
}

}  // namespace stage::sentence
