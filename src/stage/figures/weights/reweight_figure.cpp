#include "stage/figures/step_figures.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "stage/figures/contributions.hpp"
#include "stage/figures/weights/reweight_parts.hpp"
#include "stage/figures/weights/sum_to_one.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/matrices.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

using reweight::Places;
using tensor::Tensor;

namespace {

constexpr float number_width = 46.0F;
using reweight::sign_width;
constexpr float least_column = 40.0F;        // for three digits and a sign
constexpr float widest_column = 120.0F;      // or more on a screen with more room
constexpr float widest_column_part = 0.12F;  // of the width
constexpr float lane_sums = 18.0F;
constexpr float reweight_gap = 8.0F;

// The phases of one key's time: its row slides out, is scaled, and its products fall onto the sums.
// Each constant is the end of a phase, as a share of that time.
constexpr float slid_out = 0.35F;
constexpr float scaled = 0.6F;

Places places_for(const FigureInput& input, const QueryRow& row, const Rect& place) {
  Places places;
  places.all = place;
  const std::size_t dims = row.trace().config.head_dim();
  for (std::size_t key = 0; key < row.keys(); ++key)
    places.labels = std::max(places.labels, text_width(row.key_token(key), 12.0F, false, true));
  const bool narrow = place.width < 480.0F;
  places.labels = std::clamp(places.labels, 30.0F, narrow ? 60.0F : 92.0F);
  places.bar_length = narrow ? 44.0F : std::clamp(place.width * 0.14F, 80.0F, 240.0F);
  const float left = places.labels + 8.0F + places.bar_length + number_width + sign_width;
  const float room = std::max(least_column, place.width - left - 2.0F);
  // As many columns as have room for their numbers, around the chosen one.
  places.columns =
      std::min(dims, std::max<std::size_t>(1, static_cast<std::size_t>(room / least_column)));
  const auto& cell = input.view_state.cell;
  const std::size_t chosen = cell && row.trace().has(cell->tensor) && cell->index.rank() >= 4
                                 ? std::min(cell->index[cell->index.rank() - 1], dims - 1)
                                 : 0;
  places.first =
      chosen < places.columns ? 0 : std::min(chosen - places.columns / 2, dims - places.columns);
  places.column = std::min(std::max(widest_column, widest_column_part * place.width),
                           room / static_cast<float>(places.columns));
  const float width = left + places.column * static_cast<float>(places.columns);
  const float aside = std::max(0.0F, (place.width - width) / 2.0F);
  places.left = place.x + aside;
  places.bars = places.left + places.labels + 8.0F;
  places.values = place.x + aside + left;

  // From the bottom up: the output, the sums, the stacks, the lane. The keys get the rest.
  const bool low = place.height < 340.0F;
  const float cells = low ? 20.0F : std::clamp(place.height * 0.055F, 30.0F, 44.0F);
  const float stack = std::clamp(place.height * (low ? 0.17F : 0.24F), 36.0F, 260.0F);
  const float over_rows = caption_height + 6.0F + (low ? 0.0F : 16.0F);
  const float under_rows = reweight_gap + cells + reweight_gap + stack + lane_sums + cells + 4.0F;
  std::vector<float> importance = row.values("attention_weights");
  const float for_rows = place.height - over_rows - under_rows;
  places.rows = key_rows(importance, 0.0F, for_rows);
  const auto lines =
      static_cast<float>(places.rows.keys.size() + (places.rows.left_out > 0 ? 1 : 0));
  places.rows.pitch = std::min(std::max(places.rows.pitch, for_rows / lines),
                               std::max(36.0F, place.height * 0.08F));
  const float used = over_rows + places.rows.bottom() + under_rows;
  places.rows.top = place.y + std::max(0.0F, (place.height - used) / 2.0F) + over_rows;
  const float across = places.column * static_cast<float>(places.columns);
  places.lane = {places.values, places.rows.bottom() + reweight_gap, across, cells};
  places.stack = {places.values, places.lane.bottom() + reweight_gap, across, stack};
  places.sums = places.stack.bottom() + lane_sums / 2.0F;
  places.output = {places.values, places.stack.bottom() + lane_sums, across, cells};
  return places;
}

/// Cuts a block down to some of its rows and to the visible columns.
Block cut(Block block, const Places& places, std::size_t row, std::size_t rows, const Rect& cells) {
  block.matrix = block.matrix.narrow(0, row, rows).narrow(1, places.first, places.columns);
  if (block.row_axis) block.corner[*block.row_axis] += row;
  if (block.column_axis) block.corner[*block.column_axis] += places.first;
  block.cells = cells;
  return block;
}

/// Adds a block in a group without a caption, since the figure names it.
void add_row(Stage& stage, Block block) {
  Group group;
  group.tensor = block.tensor;
  group.title = std::string(model::name_of(block.tensor));
  group.bounds = block.cells;
  group.in_figure = true;
  add_group(stage, std::move(group), {std::move(block)});
}

/// What stands over a column of values: what the number stands for, or its place in the head.
Words column_name(const QueryRow& row, std::size_t dimension, Point at, float room) {
  const std::vector<std::string>& features = row.attention().features;
  const model::Trace& trace = row.trace();
  const std::size_t dims = trace.config.head_dim();
  const bool named = features.size() == dims * trace.config.num_heads &&
                     trace.overrides.mistake != model::Mistake::no_transpose;
  if (named) {
    const std::string& name = features[row.head() * dims + dimension];
    if (text_width(name, 11.0F) <= room)
      return words_at(at, Side::centre, name, Tone::quiet, 11.0F);
  }
  return number_at(at, Side::centre, std::to_string(dimension), Tone::quiet, 10.5F);
}

/// The values of the keys that have a row.
void put_values(Stage& stage, Figure& figure, const FigureInput& input, const QueryRow& row,
                const Places& places) {
  const std::size_t dims = row.trace().config.head_dim();
  const Block whole = matrix_of_head(input.attention, input.view_state, "v_heads");
  std::vector<Block> blocks;
  const std::vector<std::size_t>& keys = places.rows.keys;
  Group group;
  for (std::size_t first = 0; first < keys.size();) {
    std::size_t last = first;
    while (last + 1 < keys.size() && keys[last + 1] == keys[last] + 1) ++last;
    const std::size_t count = last + 1 - first;
    const Rect cells{places.values, places.rows.top + places.rows.pitch * static_cast<float>(first),
                     places.lane.width, places.rows.pitch * static_cast<float>(count)};
    blocks.push_back(cut(whole, places, keys[first], count, cells));
    if (first > 0) blocks.back().head.reset();  // one bar in the head's hue spans them all
    group.bounds = group.bounds.united(cells);
    first = last + 1;
  }
  group.tensor = "v_heads";
  const float room = places.all.right() - places.values;
  group.title = longest_fitting({row.with_head("v_heads"), "v_heads"}, 13.0F, room);
  group.shape = "[Lk " + std::to_string(row.keys()) + ", D " + std::to_string(dims) + "]";
  if (text_width(group.shape, 11.5F, true) > room) group.shape.clear();
  if (places.columns < dims) {
    group.note = base::text("stage.weighted.columns",
                            {{"first", places.first}, {"last", places.first + places.columns - 1}});
    if (text_width(group.shape, 11.5F, true) + 10.0F + text_width(group.note, 11.5F) > room)
      group.note.clear();
  }
  group.caption = {places.values, places.captions(),
                   std::min(room, std::max(places.lane.width, 60.0F)), caption_height};
  group.bounds = group.bounds.united(group.caption);
  if (places.numbered()) {
    for (std::size_t i = 0; i < places.columns; ++i) {
      const Rect column = places.column_of(i, places.lane);
      figure.words.push_back(column_name(row, places.first + i,
                                         {column.centre().x, places.rows.top - 14.0F},
                                         column.width - 4.0F));
    }
  }
  add_group(stage, std::move(group), std::move(blocks));
}

/// What each turn adds to the sum of each visible column: [turns][columns].
std::vector<std::vector<double>> products_of(const QueryRow& row, const Places& places) {
  std::vector<std::vector<double>> products(places.turns(),
                                            std::vector<double>(places.columns, 0.0));
  const std::vector<std::size_t>& shown = places.rows.keys;
  for (std::size_t key = 0; key < row.keys(); ++key) {
    const auto place = std::lower_bound(shown.begin(), shown.end(), key);
    const bool has_row = place != shown.end() && *place == key;
    const std::size_t turn =
        has_row ? static_cast<std::size_t>(place - shown.begin()) : shown.size();
    for (std::size_t i = 0; i < places.columns; ++i) {
      products[turn][i] +=
          key_product(row.trace(), {row.sample(), row.head(), row.query(), key}, places.first + i);
    }
  }
  return products;
}

/// How far the sum has come.
struct ReweightMoment {
  std::size_t added = 0;
  float next = 0.0F;       ///< how far the current turn is, 0 … 1
  std::size_t turn = 0;    ///< the turn whose row is in the lane
  bool under_way = false;  ///< there is a row in the lane
};

ReweightMoment moment_of(const FigureInput& input, const Places& places) {
  const float progress = input.view_state.progress;
  ReweightMoment moment;
  moment.added = keys_added(progress, places.turns());
  moment.under_way = moment.added < places.turns();
  if (moment.under_way) {
    moment.turn = moment.added;
    moment.next =
        std::clamp(progress * static_cast<float>(places.turns()) - static_cast<float>(moment.added),
                   0.0F, 1.0F);
    return moment;
  }
  const auto& keys = places.rows.keys;
  const auto chosen = std::find(keys.begin(), keys.end(), input.view_state.key);
  moment.turn = chosen == keys.end() ? 0 : static_cast<std::size_t>(chosen - keys.begin());
  return moment;
}

/// The row in the lane: it slides in, then each of its numbers is multiplied by the weight.
void put_lane(Stage& stage, Figure& figure, const FigureInput& input, const QueryRow& row,
              const Places& places, const ReweightMoment& moment,
              const std::vector<std::vector<double>>& products) {
  const bool is_rest = moment.turn >= places.rows.keys.size();
  const std::size_t key = is_rest ? 0 : places.rows.keys[moment.turn];
  const float type = 12.0F;
  const float y = places.lane.centre().y;
  const float right = places.values - sign_width;
  const bool is_scaled = !moment.under_way || moment.next >= slid_out;
  const float label_room = right - number_width - places.left - 4.0F;
  const std::string token =
      is_rest ? std::string(base::text("stage.weighted.others")) : row.key_token(key);
  add_words(figure, {places.left, y}, Side::left,
            longest_fitting({base::text("stage.weighted.scaled", {{"row", token}}), token}, type,
                            label_room),
            Tone::quiet, type);
  if (is_scaled && !is_rest) {
    add_number(figure, {right, y}, Side::right, weight_text(row.value("attention_weights", key), 3),
               Tone::strong, type)
        .cell = row.cell("attention_weights", key);
  }
  add_words(figure, {places.values - sign_width / 2.0F, y}, Side::centre, "×", Tone::quiet, 14.0F);

  Block lane = matrix_of_head(input.attention, input.view_state, "weighted_values");
  if (is_rest) {
    lane = cut(std::move(lane), places, 0, 1, places.lane);
    std::vector<float> sums;
    for (const double product : products[moment.turn]) sums.push_back(static_cast<float>(product));
    lane.matrix = Tensor({1, places.columns}, sums);
    lane.partial = true;
    lane.only_seen = true;  // no tensor holds it
  } else {
    lane = cut(std::move(lane), places, key, 1, places.lane);
  }
  lane.head.reset();
  if (!is_scaled) lane.shown = 0;
  add_row(stage, std::move(lane));
  if (is_scaled || is_rest) return;
  const Rect from{places.values,
                  places.rows.top + places.rows.pitch * static_cast<float>(moment.turn),
                  places.lane.width, places.rows.pitch};
  Block piece = cut(matrix_of_head(input.attention, input.view_state, "v_heads"), places, key, 1,
                    mixed(from, places.lane, eased(moment.next / slid_out)));
  piece.piece = true;
  piece.group = stage.groups.size() - 2;  // the values' group
  stage.first_piece = stage.blocks.size();
  stage.blocks.push_back(std::move(piece));
}

/// Positive products pile up from the line, negative ones hang from it, and a mark shows their sum.
void put_stacks(Figure& figure, const Places& places, const ReweightMoment& moment,
                const std::vector<std::vector<double>>& products) {
  double up = 1e-9;
  double down = 1e-9;
  for (std::size_t i = 0; i < places.columns; ++i) {
    double above = 0.0;
    double below = 0.0;
    for (const std::vector<double>& turn : products) {
      if (!std::isfinite(turn[i])) return;
      (turn[i] > 0.0 ? above : below) += std::fabs(turn[i]);
    }
    up = std::max(up, above);
    down = std::max(down, below);
  }
  const Rect& all = places.stack;
  const float unit = (all.height - 4.0F) / static_cast<float>(up + down);
  const float zero = all.y + 2.0F + unit * static_cast<float>(up);
  add_line(figure, {all.x, zero}, {all.right(), zero}, Tone::quiet);
  const float falling =
      moment.under_way ? std::clamp((moment.next - scaled) / (1.0F - scaled), 0.0F, 1.0F) : 0.0F;
  for (std::size_t i = 0; i < places.columns; ++i) {
    const Rect column = places.column_of(i, all).inset(3.0F);
    float above = zero;
    float below = zero;
    double sum = 0.0;
    for (std::size_t turn = 0; turn < products.size(); ++turn) {
      const bool lands = moment.under_way && turn == moment.turn && moment.next >= scaled;
      if (turn >= moment.added && !lands) break;
      const double product = products[turn][i];
      const float height = unit * static_cast<float>(std::fabs(product));
      float& edge = product > 0.0 ? above : below;
      Rect place{column.x, product > 0.0 ? edge - height : edge, column.width, height};
      if (lands) place.y = mixed(places.lane.bottom(), place.y, eased(falling));
      edge += product > 0.0 ? -height : height;
      // A small gap makes neighbouring products distinguishable.
      if (place.height > 2.5F) place = {place.x, place.y + 0.5F, place.width, place.height - 1.0F};
      Bar bar;
      bar.place = place;
      bar.tone = product > 0.0 ? Tone::result : Tone::below;
      bar.opacity = lands ? 1.0F : 0.6F;
      bar.value = static_cast<float>(product);
      if (product != 0.0) figure.bars.push_back(bar);
      if (!lands) sum += product;
    }
    const float mark = zero - unit * static_cast<float>(sum);
    add_line(figure, {column.x - 3.0F, mark}, {column.right() + 3.0F, mark}, Tone::accent).width =
        2.0F;
    if (!moment.under_way) continue;
    add_number(figure, {column.centre().x, places.sums}, Side::centre,
               number_in(static_cast<float>(sum), 6, 3), Tone::text, 11.0F);
  }
}

/// The query's row of the output, which stays empty until all products are in.
void put_output_row(Stage& stage, Figure& figure, const FigureInput& input, const QueryRow& row,
                    const Places& places, const ReweightMoment& moment) {
  Block block = cut(matrix_of_head(input.attention, input.view_state, "head_outputs"), places,
                    row.query(), 1, places.output);
  block.head.reset();  // its bar would cover the sums
  if (moment.under_way) block.shown = 0;
  add_row(stage, std::move(block));
  const float room = places.values - 8.0F - places.left;
  const auto say = [&](float y, const Lengths& texts, Tone tone) {
    add_words(figure, {places.left, y}, Side::left, longest_fitting(texts, 12.0F, room), tone,
              12.0F);
  };
  const auto outputs_of = [](const std::string& query) {
    return base::text("stage.weighted.output_of", {{"tensor", "head_outputs"}, {"query", query}});
  };
  say(places.output.centre().y,
      {outputs_of(row.with_head(row.query_token())), outputs_of(row.query_token()), "head_outputs",
       base::text("stage.weighted.output")},
      Tone::strong);
  const auto added = [&](std::string_view key) {
    return base::text(key, {{"added", moment.added}, {"rows", places.turns()}});
  };
  if (moment.under_way) {
    say(places.sums,
        {added("stage.weighted.added.long"), added("stage.weighted.added.short"),
         added("stage.weighted.added.shortest")},
        Tone::quiet);
  }
  if (row.trace().overrides.ablates(row.head())) {
    say(places.stack.centre().y,
        {base::text("stage.weighted.off"), base::text("stage.weighted.off.short"),
         base::text("stage.weighted.off.shortest")},
        Tone::strong);
    return;
  }
  say(places.stack.centre().y,
      {base::text("stage.weighted.products"), base::text("stage.weighted.products.short"), ""},
      Tone::quiet);
}

}  // namespace

std::size_t keys_added(float progress, std::size_t keys) {
  const float added =
      std::floor(std::clamp(progress, 0.0F, 1.0F) * static_cast<float>(keys) + 1e-3F);
  return std::min(keys, static_cast<std::size_t>(added));
}

void put_reweight(Stage& stage, const FigureInput& input, const Rect& given) {
  const QueryRow row(input);
  const Rect place = at_least(given, 240.0F, 236.0F);
  const Places places = places_for(input, row, place);
  const ReweightMoment moment = moment_of(input, places);
  const std::vector<std::vector<double>> products = products_of(row, places);

  Figure figure = figure_in("weighted-sum", place);
  const float caption = places.captions();
  add_words(figure, {places.bars, caption + 9.0F}, Side::left,
            longest_fitting({base::text("stage.weighted.weights", {{"query", row.query_token()}}),
                             base::text("stage.weighted.weights.short")},
                            12.5F, places.values - 8.0F - places.bars),
            Tone::strong, 12.5F);
  float sum = 0.0F;
  for (const float weight : row.values("attention_weights")) sum += weight;
  // By a mistake; a sink takes its part on purpose.
  const bool mistaken =
      row.trace().overrides.mistake != model::Mistake::none && !input.view_state.guessing;
  const bool wrong_sum = mistaken && std::fabs(sum - 1.0F) > 1e-3F;
  add_number(figure, {places.bars + places.bar_length + 4.0F, caption + 27.0F}, Side::left,
             number_text(sum, 3), wrong_sum ? Tone::wrong : Tone::strong, 12.0F);
  add_words(figure, {places.bars + places.bar_length, caption + 27.0F}, Side::right, "Σ",
            Tone::quiet, 12.0F);
  const float before_sum = places.bars + places.bar_length - 20.0F;
  put_sum_to_one(figure, row, {before_sum, caption + 27.0F}, Side::right, before_sum - places.left,
                 11.5F);
  reweight::put_bars(figure, row, places, moment.added + (moment.under_way ? 1 : 0));
  reweight::put_by_hand(figure, row, places);
  put_values(stage, figure, input, row, places);
  put_stacks(figure, places, moment, products);
  put_lane(stage, figure, input, row, places, moment, products);
  put_output_row(stage, figure, input, row, places, moment);
  stage.figures.push_back(std::move(figure));
}

}  // namespace stage
