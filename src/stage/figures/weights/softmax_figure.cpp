#include "stage/figures/step_figures.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/text.hpp"
#include "lesson/steps/formula.hpp"
#include "model/trace.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/figures/weights/sum_to_one.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/motion/motion.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

using model::Explanation;
using model::Rule;

namespace {

constexpr float sums_line = 30.0F;
constexpr float sink_line = 26.0F;

/// How the row's weights were computed, from the trace's explanations.
struct Close {
  /// One for all keys, or one for each key where their sums differ.
  std::vector<Explanation> of_key;
  bool by_hand = false;
  bool left_out = false;  ///< there is no softmax
  bool fully_masked = false;
  bool naive = false;        ///< the largest score is not subtracted
  bool along_keys = true;    ///< the softmax runs along this row, as it should
  bool overwritten = false;  ///< some weights were changed after the softmax
  bool too_small = false;    ///< a weight that float32 rounds to 0
  bool hides = false;        ///< a key is hidden by the mask
  /// Which mistake is made is to be guessed: every row looks alike, with nothing between scores and
  /// weights.
  bool is_secret = false;
  double weights_sum = 0.0;
  std::size_t largest = 0;  ///< the key of the largest masked score

  bool has_sink() const { return of_key[0].rule == Rule::softmax && of_key[0].bias; }
  const Explanation& at(std::size_t key) const { return of_key[of_key.size() == 1 ? 0 : key]; }
  /// Whether columns between the scores and the weights say how these were made.
  bool has_exponentials() const { return !by_hand && !left_out && !fully_masked && !is_secret; }
  /// The key's own term in the explanation of its weight.
  const model::Term& term(std::size_t key) const {
    const Explanation& made = at(key);
    return made.terms[along_keys ? key : made.selected];
  }
};

Close look_closely(const QueryRow& row) {
  const model::Trace& trace = row.trace();
  Close close;
  close.of_key.push_back(model::explain(trace, "attention_weights", row.index(0)));
  const Explanation& first = close.of_key[0];
  close.by_hand = first.rule == Rule::given_by_hand || first.terms.empty();
  close.left_out = trace.overrides.mistake == model::Mistake::no_softmax && !close.by_hand;
  close.fully_masked = first.rule == Rule::fully_masked;
  close.is_secret = row.is_guessed() && !close.by_hand;
  close.naive = first.rule == Rule::softmax && !first.maximum;
  // A mistaken softmax over the queries has terms with other queries.
  close.along_keys =
      std::all_of(first.terms.begin(), first.terms.end(),
                  [&](const model::Term& term) { return term.a.index[2] == row.query(); });
  close.along_keys = close.along_keys && first.terms.size() == row.keys();
  for (std::size_t key = 1; key < row.keys() && !close.along_keys && !close.by_hand; ++key) {
    close.of_key.push_back(model::explain(trace, "attention_weights", row.index(key)));
  }
  for (std::size_t key = 0; key < row.keys(); ++key) {
    const float weight = row.value("attention_weights", key);
    close.weights_sum += static_cast<double>(weight);
    close.hides =
        close.hides || row.value("masked_scores", key) == -std::numeric_limits<float>::infinity();
    if (row.value("masked_scores", key) > row.value("masked_scores", close.largest)) {
      close.largest = key;
    }
    if (close.by_hand || close.left_out || close.fully_masked || !close.along_keys) continue;
    const double made = first.terms[key].value / first.denominator;
    close.overwritten = close.overwritten || (weight == 0.0F && made > 1e-6);
    close.too_small =
        close.too_small || (weight == 0.0F && std::isfinite(row.value("masked_scores", key)));
  }
  return close;
}

std::vector<std::string> notes_of(const QueryRow& row, const Close& close) {
  std::vector<std::string> notes;
  if (close.is_secret) {
    notes.emplace_back(base::text("stage.softmax.guess"));
    return notes;
  }
  if (close.by_hand)
    notes.emplace_back(base::text("stage.softmax.by_hand"));
  else if (close.left_out)
    notes.emplace_back(lesson::sentence_for(lesson::step(lesson::StepId::softmax), row.trace()));
  else if (close.fully_masked)
    notes.emplace_back(base::text("stage.softmax.all_hidden"));
  else if (!close.along_keys)
    notes.emplace_back(base::text("stage.softmax.over_queries"));
  else if (close.naive && !std::isfinite(close.at(0).denominator))
    notes.emplace_back(base::text("stage.softmax.overflow"));
  else if (close.naive)
    notes.emplace_back(base::text("stage.softmax.not_subtracted"));
  else if (close.overwritten)
    notes.emplace_back(base::text("stage.softmax.overwritten"));
  else if (close.too_small)
    notes.emplace_back(base::text("stage.softmax.too_small"));
  else if (close.has_sink())
    notes.emplace_back(base::text("stage.softmax.sink.note"));
  else if (close.hides)
    notes.emplace_back(base::text("stage.softmax.hidden"));
  return notes;
}

/// The places of the columns; logical pixels.
struct SoftmaxColumns {
  bool shifted = true;  ///< there is room for the column s − max
  float cell_x = 0.0F;
  float cell_width = 0.0F;
  float shifted_right = 0.0F;
  float shifted_width = 0.0F;  ///< includes the gap on its left, which a heading may use
  float exp_right = 0.0F;
  float exp_width = 0.0F;  ///< includes the gap on its left
  bool sums = false;       ///< each key has a sum of its own: that of its column
  float sum_right = 0.0F;
  float sum_width = 0.0F;  ///< includes the gap on its left
  float bar_x = 0.0F;
  float bar_width = 0.0F;  ///< length of a weight of 1
};

/// Numbers get the room that they need and bars, which matter most, get the rest. The column s −
/// max only says what the cells and their max say already, so it is left out where bars would be
/// short.
SoftmaxColumns columns_of(const KeyTable& table, float number_width, const Lengths& score_names,
                          bool with_shifted, bool with_sums) {
  constexpr float least_cell = 46.0F;  // for "−0.845" or the heading "masked"
  constexpr float least_gap = 8.0F;
  constexpr float least_bar = 64.0F;
  const float digit = table.type * 0.6F;
  const float exp = 5.0F * digit;  // for "0.844"; a sum of two digits may reach into the gap
  const float shifted = std::max(6.0F * digit, text_width("max 0.00", 10.5F));
  const float after_bar = number_width + 6.0F;
  float spare = table.width() - least_cell - exp - 2.0F * least_gap - least_bar - after_bar;
  SoftmaxColumns columns;
  // Wide enough for its heading only where nothing has to go for that.
  const float headed = std::max(exp, text_width(base::text("stage.softmax.of_column"), 10.5F));
  const float sum = spare >= headed + shifted + 2.0F * least_gap ? headed : exp;
  columns.sums = with_sums && spare >= sum + least_gap;
  if (columns.sums) spare -= sum + least_gap;
  columns.shifted = with_shifted && spare >= shifted + least_gap;
  if (columns.shifted) spare -= shifted + least_gap;
  spare = std::max(0.0F, spare);
  const float gap = least_gap + std::min(12.0F, spare * 0.08F);
  const float named = std::clamp(text_width(score_names.all.front(), 10.5F) + 2.0F, 64.0F, 80.0F);
  columns.cell_x = table.left;
  columns.cell_width = std::min(named, least_cell + spare * 0.35F);
  columns.shifted_width = shifted + gap;
  columns.shifted_right = columns.cell_x + columns.cell_width + columns.shifted_width;
  columns.exp_width = exp + gap;
  columns.exp_right =
      (columns.shifted ? columns.shifted_right : columns.cell_x + columns.cell_width) +
      columns.exp_width;
  columns.sum_width = columns.sums ? sum + gap : 0.0F;
  columns.sum_right = columns.exp_right + columns.sum_width;
  columns.bar_x = columns.sum_right + gap;
  columns.bar_width = std::max(8.0F, table.right - columns.bar_x - after_bar);
  return columns;
}

/// Sets two lines over each column: its name, and what it is computed from. `one_sum`: all keys
/// share one max and sum.
void put_headings(KeyTable& table, const SoftmaxColumns& columns, const QueryRow& row,
                  const Close& close, bool one_sum) {
  put_heading(table, columns.cell_x, columns.cell_width - 2.0F, Side::left, {"s"},
              names_of_masked_score(row));
  if (close.by_hand) {
    return put_heading(table, columns.bar_x, table.right - columns.bar_x, Side::left,
                       {base::text("stage.softmax.weight")},
                       {base::text("stage.softmax.set_by_hand")});
  }
  if (columns.shifted) {
    const auto largest = static_cast<float>(close.at(0).maximum.value_or(0.0));
    const Lengths maximum =
        one_sum ? Lengths{"max " + number_in(largest, 6, 2), "max " + number_in(largest, 6, 1), ""}
                : Lengths{base::text("stage.softmax.of_column"), ""};
    put_heading(table, columns.shifted_right - columns.shifted_width, columns.shifted_width,
                Side::right, {"s − max"}, maximum);
  }
  if (close.left_out || close.is_secret) {
    return put_heading(table, columns.bar_x, table.right - columns.bar_x, Side::left,
                       {base::text("stage.softmax.weight")}, {close.is_secret ? "" : "= s"});
  }
  // The column s − max makes part of this heading unnecessary.
  const std::string of_shifted = base::text("stage.softmax.of", {{"argument", "s − max"}});
  const Lengths of = close.naive ? Lengths{base::text("stage.softmax.of", {{"argument", "s"}})}
                     : columns.shifted ? Lengths{of_shifted, ""}
                                       : Lengths{of_shifted, "s − max", ""};
  put_heading(table, columns.exp_right - columns.exp_width, columns.exp_width, Side::right, {"exp"},
              of);
  if (columns.sums)
    put_heading(table, columns.sum_right - columns.sum_width, columns.sum_width, Side::right,
                {base::text("stage.sum.sum")}, {base::text("stage.softmax.of_column"), ""});
  put_heading(table, columns.bar_x, table.right - columns.bar_x, Side::left,
              {base::text("stage.softmax.weight")}, {base::text("stage.softmax.divided")});
}

/// How far the row is: first the exponentials one after another, then their sum, then the weights.
struct SoftmaxMoment {
  std::size_t exponentials = 0;
  float weights = 0.0F;  ///< finished ones, plus the finished part of the next
};

SoftmaxMoment moment_of(const FigureInput& input, const QueryRow& row, std::size_t rows) {
  const std::size_t keys = row.keys();
  const Sweep sweep = sweep_of_rows(lesson::StepId::softmax, 0, row.query(), keys);
  const float progress = input.view_state.progress;
  const float time =
      progress >= 1.0F ? 1.0F : slow_time(sweep, row.trace().config.query_len * keys, progress);
  const auto all = static_cast<float>(rows);
  const float exponentials = std::min(1.0F, time / all_exponentials) * all;
  return {static_cast<std::size_t>(std::floor(exponentials + 1e-3F)),
          std::max(0.0F, (time - first_weight) / (1.0F - first_weight)) * all};
}

/// Below the keys, what the sink got: its exponential is a part of the sum, its share has no value.
void put_sink(KeyTable& table, const SoftmaxColumns& columns, const Close& close, float left,
              const SoftmaxMoment& moment) {
  constexpr int room = 6;
  const Explanation& made = close.at(0);
  const model::Cell& sink = *made.bias;
  const float y = table.footing + sink_line / 2.0F + 3.0F;
  const auto shown = table.rows.keys.size();
  add_words(table.figure, {left, y}, Side::left, base::text("stage.softmax.sink"), Tone::quiet,
            table.type);
  add_number(table.figure, {columns.cell_x + columns.cell_width / 2.0F, y}, Side::centre,
             number_text_fitting(sink.value, room, 3), Tone::text, table.type)
      .cell = document::CellRef{sink.tensor, sink.index};
  if (moment.exponentials < shown) return;
  const double shifted = static_cast<double>(sink.value) - *made.maximum;
  if (columns.shifted) {
    put_number(table, columns.shifted_right, y, number_in(static_cast<float>(shifted), room, 2));
  }
  put_number(table, columns.exp_right, y,
             number_in(static_cast<float>(std::exp(shifted)), room, 3));
  if (moment.weights < static_cast<float>(shown)) return;
  const auto share = static_cast<float>(std::exp(shifted) / made.denominator);
  constexpr float height = 14.0F;
  table.figure.bars.push_back(
      {{columns.bar_x, y - height / 2.0F, columns.bar_width * share, height},
       Tone::quiet,
       {},
       0.5F,
       share,
       {}});
  put_number(table, table.right, y, number_text(share, table.width() >= 220.0F ? 3 : 2),
             Tone::quiet);
}

}  // namespace

void put_softmax_figure(Stage& stage, const FigureInput& input, const Rect& wanted) {
  const Rect place = at_least(wanted, 220.0F, 140.0F);
  const QueryRow row(input);
  const Close close = look_closely(row);
  TableSizes sizes;
  const float sink_height = close.has_sink() ? sink_line : 0.0F;
  sizes.footing = sums_line + sink_height;
  sizes.notes = notes_of(row, close);
  const std::vector<float> weights = row.values("attention_weights");
  const bool computed = close.has_exponentials();
  KeyTable table = begin_table(row, "softmax-row", place, sizes, weights, input.view_state.key);
  const int decimals = table.width() >= 220.0F ? 3 : 2;
  const std::string rounded = rounded_sum(weights, decimals);
  if (!rounded.empty() && table.rows.left_out == 0 && !close.is_secret) {
    sizes.notes.push_back(base::text("stage.sum.rounded", {{"sum", rounded}}));
    table = begin_table(row, "softmax-row", place, sizes, weights, input.view_state.key);
  }
  const float number_width = table.type * 0.6F * static_cast<float>(decimals + 2);
  constexpr int room = 6;
  const bool one_sum = computed && close.along_keys;
  const SoftmaxColumns columns = columns_of(table, number_width, names_of_masked_score(row),
                                            !close.naive && !close.left_out && !close.is_secret,
                                            computed && !close.along_keys);
  put_headings(table, columns, row, close, one_sum);

  // Without a softmax weights may be larger than 1, or negative.
  float most = 1.0F;
  for (const float weight : weights)
    if (std::isfinite(weight)) most = std::max(most, std::fabs(weight));
  const BarAxis bars = bar_axis(weights, columns.bar_x, columns.bar_width);
  const SoftmaxMoment moment = moment_of(input, row, table.rows.keys.size());
  put_cells(stage, row, "masked_scores", table.rows, columns.cell_x, columns.cell_width);
  for (std::size_t i = 0; i < table.rows.keys.size(); ++i) {
    const std::size_t key = table.rows.keys[i];
    const float y = table.rows.middle(i);
    if (computed && i < moment.exponentials) {
      const Explanation& made = close.at(key);
      const model::Term& term = close.term(key);
      const auto shifted =
          static_cast<float>(static_cast<double>(term.a.value) - made.maximum.value_or(0.0));
      // Only its own difference, 0, says which score is the largest: a bold row would look chosen.
      // None is 0 where a sink is larger.
      const bool is_largest = key == close.largest && (shifted == 0.0F || !made.maximum);
      if (columns.shifted)
        put_number(table, columns.shifted_right, y, number_in(shifted, room, 2),
                   is_largest ? Tone::strong : Tone::text);
      put_number(table, columns.exp_right, y, number_in(static_cast<float>(term.value), room, 3),
                 Tone::text);
      if (columns.sums)
        put_number(table, columns.sum_right, y,
                   number_in(static_cast<float>(made.denominator), room, 3), Tone::text);
    }
    if (static_cast<float>(i) >= moment.weights) continue;
    const float weight = weights[key];
    const document::CellRef cell = row.cell("attention_weights", key);
    // The bar of the weight that is being divided grows.
    const float grown = std::min(1.0F, moment.weights - static_cast<float>(i));
    put_weight(table, i, bars.zero, bars.length * grown,
               {{}, Tone::head, row.head(), 1.0F, weight, cell}, most);
    if (grown < 1.0F) continue;
    put_number(table, table.right, y, weight_text(weight, decimals), Tone::text, cell);
  }
  const float last = table.rows.top + table.rows.pitch * static_cast<float>(table.rows.keys.size());
  add_line(table.figure, {bars.zero - 0.5F, table.rows.top}, {bars.zero - 0.5F, last});

  if (close.has_sink()) put_sink(table, columns, close, place.x, moment);
  // The sums are over all keys, including those that have no row.
  const float footing = table.footing + sink_height;
  const float y = footing + sums_line / 2.0F + 2.0F;
  add_line(table.figure, {place.x, footing + 5.0F}, {table.right, footing + 5.0F});
  const std::string_view sum = base::text("stage.sum.sum");
  add_words(table.figure, {place.x, y}, Side::left, sum, Tone::quiet, table.type);
  const float after_word = place.x + text_width(sum, table.type) + 10.0F;
  put_sum_to_one(table.figure, row, {after_word, y}, Side::left,
                 table.right - number_width - 8.0F - after_word, 11.5F);
  const std::size_t shown = table.rows.keys.size();
  if (one_sum && moment.exponentials == shown) {
    const Tone tone = moment.weights < static_cast<float>(shown) ? Tone::strong : Tone::text;
    put_number(table, columns.exp_right, y,
               number_in(static_cast<float>(close.at(0).denominator), room, 3), tone);
  } else if (one_sum && moment.exponentials > 0 && table.rows.left_out == 0) {
    double so_far = 0.0;
    for (std::size_t key = 0; key < moment.exponentials; ++key) so_far += close.term(key).value;
    put_number(table, columns.exp_right, y, number_in(static_cast<float>(so_far), room, 3),
               Tone::quiet);
  }
  if (moment.weights >= static_cast<float>(shown))
    put_number(table, table.right, y, number_text(static_cast<float>(close.weights_sum), decimals),
               Tone::strong);
  stage.figures.push_back(std::move(table.figure));
}

}  // namespace stage
