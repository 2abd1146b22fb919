// The step played backward: the gradient of the query's row flows back along the arcs, first to the
// weights, d_weight = d_out · v, then to the values, d_v = Σ weight × d_out.
#include <algorithm>
#include <cmath>
#include <string>

#include "base/text.hpp"
#include "stage/figures/sentence/sentence_parts.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/layout/lettering.hpp"

namespace stage {

using model::TensorId;
using tensor::Tensor;

namespace sentence {
namespace {

// When it happens, as parts of the step's progress.
constexpr float weights_begin = 0.03F;
constexpr float weights_end = 0.46F;
constexpr float values_begin = 0.5F;
constexpr float values_end = 0.95F;
constexpr float arc_share = 0.4F;  ///< of a key's time, until its products are added up
constexpr float fades = 0.04F;
/// In the time for the values, at most so many turns of one query or of several.
constexpr std::size_t most_turns = 6;

TensorId d_weights() { return TensorId("attention_weights").gradient(); }
TensorId d_values() { return TensorId("v_heads").gradient(); }
TensorId d_outputs() { return TensorId("head_outputs").gradient(); }

/// Whether a tensor is the product of these two.
bool is_product_of(const model::Trace& trace, TensorId made, TensorId a, TensorId b) {
  const model::Node* row = trace.made_by(made);
  return row != nullptr && row->operation == &ops::product && row->count == 2 && row->of[0] == a &&
         row->of[1] == b;
}

/// One turn of the values: the queries before `before` have sent their shares already, and those up
/// to `last` send theirs.
struct Turn {
  std::size_t before = 0;
  std::size_t last = 0;
};

/// The turns of all queries whose gradient is not 0, in order.
std::vector<Turn> turns_of(const QueryRow& row) {
  const Tensor& d_out = row.trace()[d_outputs()];
  std::vector<std::size_t> sending;
  for (std::size_t query = 0; query < d_out.dim(2); ++query) {
    bool sends = false;
    for (std::size_t d = 0; d < d_out.dim(3); ++d)
      sends = sends || d_out.at({row.sample(), row.head(), query, d}) != 0.0F;
    if (sends) sending.push_back(query);
  }
  if (sending.empty()) sending.push_back(row.query());
  const std::size_t count = std::min(most_turns, sending.size());
  std::vector<Turn> turns;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t last = sending[(i + 1) * sending.size() / count - 1];
    turns.push_back({turns.empty() ? 0 : turns.back().last + 1, last});
  }
  return turns;
}

/// What is there at a moment.
struct Moment {
  std::size_t query = 0;          ///< whose row, arcs and gradients are shown
  std::vector<float> grown;       ///< of each key's arc
  std::vector<bool> weight_made;  ///< of each key
  bool of_values = true;          ///< the table shows the values; else their gradients
  float table_there = 1.0F;       ///< how visible the table's numbers are
  /// How many queries' shares are in the gradient of each key's value; of all, if finished.
  std::vector<std::size_t> sent;
  bool finished = false;
  std::optional<Growing> growing;
};

/// How far the time from `begin` to `end` has come, in turns.
float turns_at(float progress, float begin, float end, std::size_t turns) {
  return (progress - begin) / (end - begin) * static_cast<float>(turns);
}

float within(float time) { return std::clamp(time, 0.0F, 1.0F); }

Moment weights_at(const QueryRow& row, const Line& line, float progress) {
  const std::size_t count = line.tokens.size();
  const std::size_t terms = row.trace().config.head_dim();
  Moment moment;
  moment.query = row.query();
  moment.table_there = 1.0F - within((progress - weights_end) / fades);
  const float turns = turns_at(progress, weights_begin, weights_end, count);
  for (std::size_t i = 0; i < count; ++i) {
    // From the last key to the first.
    const float time = within(turns - static_cast<float>(count - 1 - i));
    const float products = within((time - arc_share) / (0.95F - arc_share));
    moment.grown.push_back(within(time / arc_share));
    moment.weight_made.push_back(products >= 1.0F);
    if (time < 1.0F && (time > 0.0F || i + 1 == count) && !moment.growing) {
      const auto added = static_cast<std::size_t>(products * static_cast<float>(terms) + 1e-3F);
      moment.growing = Growing{row.cell(d_weights(), line.tokens[i]), added};
    }
  }
  moment.sent.assign(count, 0);
  return moment;
}

/// The largest of the query's gradients that are shown: its share is worth following.
std::size_t largest_of(const QueryRow& row, std::size_t query, std::size_t shown) {
  const Tensor& d_out = row.trace()[d_outputs()];
  std::size_t largest = 0;
  const auto size = [&](std::size_t d) {
    return std::fabs(d_out.at({row.sample(), row.head(), query, d}));
  };
  for (std::size_t d = 1; d < shown; ++d) largest = size(d) > size(largest) ? d : largest;
  return largest;
}

Moment values_at(const QueryRow& row, const PlacesBack& places, float progress) {
  const Line& line = places.words.keys;
  const std::size_t count = line.tokens.size();
  const std::vector<Turn> turns = turns_of(row);
  const float time = turns_at(progress, values_begin, values_end, turns.size());
  const auto at = std::min(turns.size() - 1, static_cast<std::size_t>(std::max(0.0F, time)));
  const Turn& turn = turns[at];
  const float passed = within(time - static_cast<float>(at));
  Moment moment;
  moment.query = turn.last;
  moment.of_values = false;
  moment.weight_made.assign(count, true);
  constexpr float under_way = 0.15F;
  for (std::size_t i = 0; i < count; ++i) {
    const float order =
        count < 2 ? 0.0F : static_cast<float>(count - 1 - i) / static_cast<float>(count - 1);
    const float arrives = under_way + (0.95F - under_way) * order;
    moment.grown.push_back(within((passed - arrives + under_way) / under_way));
    const bool here = passed >= arrives;
    moment.sent.push_back(here ? turn.last + 1 : turn.before);
    const bool arriving = !here && passed >= arrives - under_way;
    if (arriving || !moment.growing) {
      moment.growing = Growing{{d_values(),
                                {row.sample(), row.head(), line.tokens[i],
                                 largest_of(row, turn.last, places.dimensions)}},
                               moment.sent.back()};
    }
  }
  return moment;
}

Moment moment_at(const QueryRow& row, const PlacesBack& places, float progress) {
  if (progress < values_begin) return weights_at(row, places.words.keys, progress);
  if (progress < values_end) return values_at(row, places, progress);
  const std::size_t count = places.words.keys.tokens.size();
  Moment moment;
  moment.query = row.query();
  moment.grown.assign(count, 1.0F);
  moment.weight_made.assign(count, true);
  moment.of_values = false;
  moment.finished = true;
  return moment;
}

/// The first numbers of one row of a [B,H,L,D] tensor, as a column [n,1] at `cells`.
Block column_of(const QueryRow& row, TensorId tensor, std::size_t token, std::size_t shown,
                const Rect& cells) {
  Block block;
  block.attention = row.attention().id;
  block.tensor = tensor;
  block.matrix = row.trace()[tensor]
                     .select(0, row.sample())
                     .select(0, row.head())
                     .narrow(0, token, 1)
                     .narrow(1, 0, shown)
                     .transpose(0, 1);
  block.corner = {row.sample(), row.head(), token, 0};
  block.row_axis = 3;
  block.column_axis = 2;
  block.range = value_range(row.trace()[tensor]);
  block.cells = cells;
  return block;
}

/// [n,1]: what the first `queries` queries have sent to the gradient of this key's value.
Tensor shares_of(const QueryRow& row, std::size_t key, std::size_t queries, std::size_t shown) {
  const Tensor& weights = row.trace()["attention_weights"];
  const Tensor& d_out = row.trace()[d_outputs()];
  Tensor sums({shown, 1});
  float* sum = sums.mutable_data();
  for (std::size_t d = 0; d < shown; ++d) {
    double so_far = 0.0;
    for (std::size_t query = 0; query < queries; ++query)
      so_far += static_cast<double>(weights.at({row.sample(), row.head(), query, key})) *
                static_cast<double>(d_out.at({row.sample(), row.head(), query, d}));
    *sum++ = static_cast<float>(so_far);
  }
  return sums;
}

void put_group(Stage& stage, TensorId tensor, std::vector<Block> blocks) {
  Group group;
  group.tensor = tensor;
  group.title = model::name_of(tensor);
  group.in_figure = true;
  for (const Block& block : blocks) group.bounds = group.bounds.united(block.cells);
  group.caption = {group.bounds.x, group.bounds.y, 0.0F, 0.0F};
  add_group(stage, std::move(group), std::move(blocks));
}

void put_table(Stage& stage, const QueryRow& row, const PlacesBack& places, const Moment& moment) {
  const Line& line = places.words.keys;
  std::vector<Block> gradients;
  std::vector<Block> columns;
  for (std::size_t i = 0; i < line.tokens.size(); ++i) {
    const std::size_t key = line.tokens[i];
    const float x = line.left + line.slot * static_cast<float>(i);
    Block gradient;
    gradient.attention = row.attention().id;
    gradient.tensor = d_weights();
    gradient.matrix = row.view(d_weights()).narrow(1, key, 1);
    gradient.corner = row.index(key);
    gradient.row_axis = 2;
    gradient.column_axis = 3;
    gradient.range = value_range(row.trace()[d_weights()]);
    gradient.cells = {x, places.gradients_top, line.slot, places.words.weight_height};
    if (!moment.weight_made[i]) gradient.shown = 0;
    gradients.push_back(std::move(gradient));

    const Rect cells{x, places.table_top, line.slot, places.table_bottom() - places.table_top};
    Block column = column_of(row, moment.of_values ? TensorId("v_heads") : d_values(), key,
                             places.dimensions, cells);
    column.cells_there = moment.table_there;
    if (!moment.of_values && !moment.finished) {
      column.matrix = shares_of(row, key, moment.sent[i], places.dimensions);
      column.partial = true;
      column.only_seen = true;  // no tensor holds it
      if (moment.sent[i] == 0) column.shown = 0;
    }
    columns.push_back(std::move(column));
  }
  put_group(stage, d_weights(), std::move(gradients));
  const TensorId table = columns.front().tensor;
  put_group(stage, table, std::move(columns));
  Block sent = column_of(row, d_outputs(), moment.query, places.dimensions,
                         {places.right, places.table_top, places.column_width,
                          places.table_bottom() - places.table_top});
  put_group(stage, d_outputs(), {std::move(sent)});
}

/// The names of what is shown, and what is done with it.
void put_names(Figure& figure, const QueryRow& row, const PlacesBack& places,
               const Moment& moment) {
  const auto beside = [&](float top, const Lengths& names) {
    const float y = top + places.words.weight_height / 2.0F;
    add_words(figure, {places.right, y}, Side::left,
              longest_fitting(names, small_type, places.right_width), Tone::quiet, small_type);
  };
  beside(places.words.weights_top, {"attention_weights", "weights", "w"});
  beside(places.gradients_top, {"d_attention_weights", "d_weights", "d_w"});
  const float caption = places.table_top - 11.0F;
  add_words(figure, {places.right, caption}, Side::left,
            longest_fitting({"d_head_outputs", "d_out"}, small_type, places.right_width, true),
            Tone::strong, small_type);
  const std::string title =
      moment.of_values  ? base::text("stage.sentence.back.values", {{"tensor", "v_heads"}})
      : moment.finished ? base::text("stage.sentence.back.sum", {{"tensor", "d_v_heads"}})
                        : base::text("stage.sentence.back.so_far",
                                     {{"tensor", "d_v_heads"}, {"query", moment.query}});
  const float left = places.words.keys.left;
  const float width = places.right - left - 14.0F;
  const std::size_t all = row.trace().config.head_dim();
  const std::string first =
      base::text("stage.sentence.first_numbers", {{"shown", places.dimensions}, {"all", all}});
  const std::string name = moment.of_values ? "v_heads" : "d_v_heads";
  const Lengths titles =
      places.dimensions < all ? Lengths{title + ", " + first, first, name} : Lengths{title, name};
  add_words(figure, {left, caption}, Side::left, longest_fitting(titles, small_type, width),
            Tone::text, small_type);
  const Lengths notes = moment.finished ? Lengths{base::text("stage.sentence.back.both"),
                                                  base::text("stage.sentence.back.both.short"), ""}
                        : moment.of_values
                            ? Lengths{base::text("stage.sentence.back.to_weights"),
                                      base::text("stage.sentence.back.to_weights.short"), ""}
                            : Lengths{base::text("stage.sentence.back.to_values"),
                                      base::text("stage.sentence.back.to_values.short"), ""};
  const std::string said = longest_fitting(notes, small_type, figure.bounds.right() - left);
  add_words(figure, {left, places.table_bottom() + note_height / 2.0F + 2.0F}, Side::left, said,
            Tone::quiet, small_type);
}

}  // namespace
}  // namespace sentence

bool has_sentence_gradient(const FigureInput& input) {
  using namespace sentence;
  const model::Trace& trace = input.attention.trace;
  return !input.view_state.guessing && is_product_of(trace, d_weights(), d_outputs(), "v_heads") &&
         is_product_of(trace, d_values(), "attention_weights", d_outputs());
}

void put_sentence_gradient(Stage& stage, const FigureInput& input, const Rect& given) {
  using namespace sentence;
  const Rect place = at_least(given, 240.0F, 276.0F);
  const QueryRow chosen(input);
  const PlacesBack places = places_back(chosen, chosen.values("attention_weights"), place);
  const Moment moment = moment_at(chosen, places, input.view_state.progress);
  document::ViewState view_state = input.view_state;
  view_state.query = moment.query;
  const QueryRow row({input.computed, input.attention, view_state});

  Figure figure = figure_in("sentence-gradient", place);
  const std::vector<float> whole(moment.grown.size(), 1.0F);
  put_words(figure, row, places.words);
  // The ways that gradients take are there before anything goes along them.
  const std::vector<float> weights = row.values("attention_weights");
  put_arcs(figure, row, places.words, weights, whole, true);
  put_arcs(figure, row, places.words, weights, moment.grown);
  put_weights(stage, row, places.words, whole);
  put_table(stage, row, places, moment);
  put_names(figure, row, places, moment);
  stage.growing = moment.growing;
  stage.figures.push_back(std::move(figure));
}

}  // namespace stage
