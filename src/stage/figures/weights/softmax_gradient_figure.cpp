#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "model/trace.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/figures/weights/other_scale.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/motion/motion.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

using model::Explanation;
using model::Rule;
using model::Scale;
using model::TensorId;

namespace {

constexpr float mean_line = 28.0F;
constexpr float gradient_gap = 12.0F;

TensorId d_weights() { return TensorId("attention_weights").gradient(); }
TensorId d_scores() { return TensorId("masked_scores").gradient(); }

/// How the gradients of the row's scores were computed, from the trace's explanations.
struct RowGradient {
  std::vector<double> weights;   ///< [Lk]: p
  std::vector<double> incoming;  ///< [Lk]: what arrives at each weight
  double mean = 0.0;             ///< Σ p · incoming
  bool computed = false;         ///< along this row, as p · (incoming − mean)
  bool fully_masked = false;
  bool by_hand = false;  ///< nothing arrives, since the weights do not follow from the scores
};

RowGradient gradient_of(const QueryRow& row) {
  RowGradient gradient;
  const model::Trace& trace = row.trace();
  gradient.by_hand = trace.overrides.gives(row.sample(), row.head(), row.query());
  const Explanation made = model::explain(trace, d_scores(), row.index(0));
  gradient.fully_masked = made.rule == Rule::fully_masked;
  gradient.computed = made.rule == Rule::softmax_gradient && made.terms.size() == row.keys();
  for (const model::Term& term : made.terms) {
    // A mistaken softmax over the queries has terms of other queries.
    gradient.computed = gradient.computed && term.a.index[2] == row.query();
    gradient.incoming.push_back(static_cast<double>(term.a.value));
    gradient.weights.push_back(static_cast<double>(term.b.value));
    gradient.mean += term.value;
  }
  return gradient;
}

std::vector<std::string> notes_of(const RowGradient& gradient) {
  std::vector<std::string> notes;
  if (gradient.by_hand)
    notes.emplace_back(base::text("stage.gradient.by_hand"));
  else if (gradient.fully_masked)
    notes.emplace_back(base::text("stage.gradient.all_hidden"));
  else if (!gradient.computed)
    notes.emplace_back(base::text("stage.gradient.over_queries"));
  return notes;
}

/// As many decimals as the largest of the row's numbers needs for three digits.
int decimals_for(const RowGradient& gradient) {
  double largest = std::fabs(gradient.mean);
  for (const double each : gradient.incoming) largest = std::max(largest, std::fabs(each));
  if (!(largest > 0.0) || !std::isfinite(largest)) return 2;
  return std::clamp(2 - static_cast<int>(std::floor(std::log10(largest))), 1, 4);
}

/// The places of the columns; logical pixels.
struct GradientColumns {
  float cell_width = 0.0F;
  float incoming_x = 0.0F;
  float difference_right = 0.0F;  ///< 0: there is no room for that column
  float bar_x = 0.0F;
  float bar_width = 0.0F;  ///< length of a weight of 1; 0: only its number
  float weight_right = 0.0F;
  float made_x = 0.0F;
};

GradientColumns columns_of(const KeyTable& table, float weight_width, float number_width) {
  GradientColumns columns;
  columns.cell_width = std::clamp(table.width() * 0.21F, 44.0F, 78.0F);
  columns.incoming_x = table.left;
  columns.made_x = table.right - columns.cell_width;
  columns.weight_right = columns.made_x - gradient_gap;
  float spare = table.width() - 2.0F * columns.cell_width - weight_width - 2.0F * gradient_gap;
  const bool difference = spare >= number_width + gradient_gap;
  if (difference) spare -= number_width + gradient_gap;
  if (spare >= 30.0F) columns.bar_width = std::min(spare - 6.0F, 120.0F);
  columns.bar_x = columns.weight_right - weight_width - columns.bar_width - 6.0F;
  if (difference) columns.difference_right = columns.bar_x - gradient_gap + 4.0F;
  return columns;
}

/// The row's largest weight under one scale, and how far it follows its score.
struct Slope {
  Scale scale;
  bool present = false;
  double weight = 0.0;
  double slope() const { return weight * (1.0 - weight); }
};

/// The scale in use first, then the ones to compare with. Empty where the row's weights are not the
/// softmax of its scores.
std::vector<Slope> slopes_of(const QueryRow& row, const RowGradient& gradient) {
  std::vector<Slope> slopes;
  if (!gradient.computed || gradient.by_hand) return slopes;
  const Scale used = scale_in_use(row);
  const std::vector<float> weights = weights_with(row, used);
  for (std::size_t key = 0; key < row.keys(); ++key) {
    if (!is_same(weights[key], row.value("attention_weights", key))) return slopes;
  }
  const auto add = [&](const Scale& scale) {
    const std::vector<float> under = weights_with(row, scale);
    const float largest = *std::max_element(under.begin(), under.end());
    slopes.push_back({scale, scale.kind == used.kind, static_cast<double>(largest)});
  };
  add(used);
  for (const Scale::Kind kind : {Scale::Kind::sqrt_head_dim, Scale::Kind::none}) {
    if (kind != used.kind) add({kind});
  }
  return slopes;
}

Lengths names_of(const QueryRow& row, const Scale& scale) {
  if (scale.kind == Scale::Kind::none)
    return {base::text("stage.scale.none"), base::text("stage.scale.none.short")};
  const std::string divisor = divisor_text(scale, row.trace().config.head_dim(), row.keys());
  return {"÷ " + divisor, "÷" + divisor};
}

/// What the comparison says.
std::string_view lesson_of(const std::vector<Slope>& slopes) {
  constexpr double saturated = 0.02;
  const Slope& now = slopes.front();
  const auto divided = std::find_if(slopes.begin(), slopes.end(), [](const Slope& each) {
    return each.scale.kind == Scale::Kind::sqrt_head_dim;
  });
  const auto none = std::find_if(slopes.begin(), slopes.end(), [](const Slope& each) {
    return each.scale.kind == Scale::Kind::none;
  });
  if (now.slope() < saturated) {
    const bool helps = divided->slope() > 2.0 * now.slope();
    return base::text(helps ? "stage.gradient.saturated_undivided" : "stage.gradient.saturated");
  }
  if (none->slope() < saturated) return base::text("stage.gradient.would_saturate");
  return base::text("stage.gradient.far_from_saturated");
}

/// How much of the comparison there is room for.
struct Comparison {
  std::vector<Slope> slopes;
  bool plot = false;
  std::vector<std::string> lines;  ///< of what it says
  float height() const {
    const float drawn = plot ? 106.0F : slopes.empty() ? 0.0F : 22.0F;
    return drawn + 16.0F * static_cast<float>(lines.size());
  }
};

constexpr float comparison_type = 11.5F;

/// The most that leaves room for the rows of the table.
Comparison comparison_for(const QueryRow& row, const RowGradient& gradient, const Rect& place,
                          float table) {
  Comparison comparison;
  comparison.slopes = slopes_of(row, gradient);
  if (comparison.slopes.empty()) return comparison;
  const auto rows = static_cast<float>(std::min<std::size_t>(row.keys(), 6));
  const float spare = place.height - table;
  comparison.plot = true;
  comparison.lines = lines_of(lesson_of(comparison.slopes), comparison_type, place.width);
  if (spare - comparison.height() >= 18.0F * rows) return comparison;
  comparison.lines.clear();
  if (spare - comparison.height() >= 18.0F * rows) return comparison;
  comparison.plot = false;
  if (spare - comparison.height() < 48.0F) comparison.slopes.clear();
  return comparison;
}

std::string slope_text(double slope) { return number_text_telling(static_cast<float>(slope)); }

/// Two numbers in words, where there is no room to draw them.
void put_in_words(Figure& figure, const QueryRow& row, const std::vector<Slope>& slopes,
                  const Rect& place) {
  const auto of = [&](const Slope& each) {
    return slope_text(each.slope()) + " (" + names_of(row, each.scale).all.front() + ")";
  };
  const std::string text = longest_fitting(
      {base::text("stage.gradient.slopes", {{"now", of(slopes[0])}, {"other", of(slopes[1])}}),
       "p(1 − p) = " + of(slopes[0]) + ", " + of(slopes[1]), "p(1 − p): " + of(slopes[0]), ""},
      comparison_type, place.width);
  if (!text.empty())
    add_words(figure, {place.x, place.y + 11.0F}, Side::left, text, Tone::text, comparison_type);
}

/// p(1 − p) over p, with the row's largest weight under each scale, and the same as numbers.
void put_plot(Figure& figure, const QueryRow& row, const std::vector<Slope>& slopes,
              const Rect& place) {
  const float heading = place.y + 14.0F;
  add_words(figure, {place.x, heading}, Side::left,
            longest_fitting({base::text("stage.gradient.slope.long"),
                             base::text("stage.gradient.slope.short"), "p(1 − p)"},
                            comparison_type, place.width),
            Tone::strong, comparison_type);
  const float width = std::clamp(place.width * 0.36F, 70.0F, 150.0F);
  const float floor = place.y + 88.0F;
  const float height = 54.0F;
  const float left = place.x + 5.0F;
  const auto at = [&](double p) { return left + width * static_cast<float>(p); };
  const auto up = [&](double slope) { return floor - height * static_cast<float>(slope / 0.25); };
  add_line(figure, {left, floor}, {left + width, floor});
  // A parabola is a Bézier curve of degree 2, and this is that one as a cubic.
  Stroke& curve = add_line(figure, {left, floor}, {left + width, floor}, Tone::text);
  curve.points = {{left, floor},
                  {at(1.0 / 3.0), up(1.0 / 3.0)},
                  {at(2.0 / 3.0), up(1.0 / 3.0)},
                  {left + width, floor}};
  curve.curved = true;
  curve.opacity = 0.6F;
  add_words(figure, {left, floor + 10.0F}, Side::centre, "0", Tone::quiet, 10.5F);
  add_words(figure, {left + width / 2.0F, floor + 10.0F}, Side::centre, "p", Tone::quiet, 10.5F);
  add_words(figure, {left + width, floor + 10.0F}, Side::centre, "1", Tone::quiet, 10.5F);

  const float from = left + width + 24.0F;
  const float right = place.right();
  const float room = right - from;
  const float slope_right = right;
  const float weight_right = right - std::min(0.42F * room, 84.0F);
  float y = place.y + 36.0F;
  add_words(figure, {weight_right, y}, Side::right, "p", Tone::quiet, 10.5F);
  add_words(figure, {slope_right, y}, Side::right, "p(1 − p)", Tone::quiet, 10.5F);
  for (const Slope& each : slopes) {
    y += 17.0F;
    const Tone tone = each.present ? Tone::accent : Tone::quiet;
    Stroke& stem =
        add_line(figure, {at(each.weight), floor}, {at(each.weight), up(each.slope())}, tone);
    stem.width = each.present ? 3.0F : 2.0F;
    stem.dashed = !each.present;
    // Where the stem is too short to be seen, its end still is.
    Bar end;
    end.place = {at(each.weight) - 3.5F, up(each.slope()) - 3.5F, 7.0F, 7.0F};
    end.tone = tone;
    end.value = static_cast<float>(each.slope());
    figure.bars.push_back(end);
    Stroke& key = add_line(figure, {from - 10.0F, y + 5.0F}, {from - 10.0F, y - 5.0F}, tone);
    key.width = each.present ? 3.0F : 2.0F;
    key.dashed = !each.present;
    const float name_room = weight_right - text_width("0.000", 11.5F, true) - 6.0F - from;
    add_words(figure, {from, y}, Side::left,
              longest_fitting(names_of(row, each.scale), comparison_type, name_room),
              each.present ? Tone::strong : Tone::text, comparison_type);
    add_number(figure, {weight_right, y}, Side::right,
               number_text(static_cast<float>(each.weight), 3), Tone::text, comparison_type);
    add_number(figure, {slope_right, y}, Side::right, slope_text(each.slope()),
               each.present ? Tone::strong : Tone::text, comparison_type);
    if (each.present) continue;
    figure.targets.push_back({{from - 14.0F, y - 8.0F, right - from + 14.0F, 17.0F},
                              each.scale.kind == Scale::Kind::none
                                  ? std::string(base::text("stage.scale.choose_none"))
                                  : base::text("stage.scale.choose", {{"divisor", "√D"}}),
                              document::SetScale{each.scale},
                              {}});
  }
}

/// How many products have been added up to the mean, one after another, as the exponentials are in
/// the step forward.
std::size_t added_at(const FigureInput& input, const QueryRow& row) {
  const std::size_t keys = row.keys();
  const float progress = input.view_state.progress;
  if (progress >= 1.0F) return keys;
  const Sweep sweep = sweep_of_rows(lesson::StepId::softmax, 0, row.query(), keys);
  const float time = slow_time(sweep, row.trace().config.query_len * keys, progress);
  const float share = std::clamp(time / all_exponentials, 0.0F, 1.0F);
  return static_cast<std::size_t>(std::floor(share * static_cast<float>(keys) + 1e-3F));
}

/// The gradients in the figure appear when those in the matrix do.
void sweep_from(Stage& stage, std::size_t first_block, const QueryRow& row) {
  for (std::size_t i = first_block; i < stage.blocks.size(); ++i) {
    const Block& block = stage.blocks[i];
    stage.sweeps.push_back(sweep_of_row(lesson::StepId::softmax, i, row.query(), row.trace().config,
                                        block.corner[3], block.rows()));
  }
}

void put_headings(KeyTable& table, const GradientColumns& columns) {
  put_heading(table, columns.incoming_x, columns.cell_width + 8.0F, Side::left, {"d_weight", "d_w"},
              {base::text("stage.gradient.incoming"), ""});
  if (columns.difference_right > 0.0F) {
    const float begin = columns.incoming_x + columns.cell_width + 10.0F;
    put_heading(table, begin, columns.difference_right - begin, Side::right,
                {base::text("stage.gradient.minus_mean", {{"gradient", "d_weight"}}),
                 base::text("stage.gradient.minus_mean", {{"gradient", "d"}}),
                 base::text("stage.gradient.minus_mean.short")},
                {});
  }
  const Lengths weight{base::text("stage.gradient.weight"), "p"};
  if (columns.bar_width > 0.0F) {
    put_heading(table, columns.bar_x, columns.weight_right - columns.bar_x, Side::left, weight, {});
  } else {
    put_heading(table, columns.bar_x - 10.0F, columns.weight_right - columns.bar_x + 10.0F,
                Side::right, weight, {});
  }
  // Its second line may reach below the heading before it.
  put_heading(table, columns.made_x - 34.0F, columns.cell_width + 34.0F, Side::right,
              {"d_score", "d_s"}, {base::text("stage.gradient.score"), ""});
}

}  // namespace

bool has_softmax_gradient(const FigureInput& input) {
  const model::Trace& trace = input.attention.trace;
  return !input.view_state.guessing && trace.has(d_weights()) && trace.has(d_scores());
}

void put_softmax_gradient(Stage& stage, const FigureInput& input, const Rect& wanted) {
  const Rect place = at_least(wanted, 220.0F, 140.0F);
  const QueryRow row(input);
  const RowGradient gradient = gradient_of(row);
  TableSizes sizes;
  sizes.notes = notes_of(gradient);
  const Comparison comparison =
      comparison_for(row, gradient, place, query_line + sizes.headings + mean_line);
  sizes.footing = mean_line + comparison.height();
  const std::vector<float> weights = row.values("attention_weights");
  const auto largest =
      static_cast<std::size_t>(std::max_element(weights.begin(), weights.end()) - weights.begin());
  KeyTable table = begin_table(row, "gradient-row", place, sizes, weights,
                               gradient.computed ? largest : row.keys());
  const int decimals = decimals_for(gradient);
  const float digit = table.type * 0.6F;
  const float number_width = digit * static_cast<float>(decimals + 3);
  const int weight_decimals = table.width() >= 220.0F ? 3 : 2;
  const GradientColumns columns = columns_of(table, digit * static_cast<float>(weight_decimals + 2),
                                             std::max(number_width, 54.0F));
  put_headings(table, columns);
  const std::size_t added = added_at(input, row);

  put_cells(stage, row, d_weights(), table.rows, columns.incoming_x, columns.cell_width);
  const std::size_t first_made = stage.blocks.size();
  put_cells(stage, row, d_scores(), table.rows, columns.made_x, columns.cell_width);
  sweep_from(stage, first_made, row);
  for (std::size_t i = 0; i < table.rows.keys.size(); ++i) {
    const std::size_t key = table.rows.keys[i];
    const float y = table.rows.middle(i);
    const document::CellRef cell = row.cell("attention_weights", key);
    if (columns.bar_width > 0.0F) {
      put_weight(table, i, columns.bar_x, columns.bar_width,
                 {{}, Tone::head, row.head(), 1.0F, weights[key], cell});
    }
    put_number(table, columns.weight_right, y, number_text(weights[key], weight_decimals),
               key == largest && gradient.computed ? Tone::strong : Tone::text, cell);
    const bool differs = gradient.computed && added == row.keys();
    if (columns.difference_right > 0.0F && differs) {
      const auto difference = static_cast<float>(gradient.incoming[key] - gradient.mean);
      put_number(table, columns.difference_right, y, number_in(difference, 7, decimals));
    }
  }

  const float line = table.footing + 5.0F;
  add_line(table.figure, {place.x, line}, {table.right, line});
  if (gradient.computed) {
    double mean = 0.0;
    for (std::size_t key = 0; key < added; ++key)
      mean += gradient.weights[key] * gradient.incoming[key];
    const float y = line + mean_line / 2.0F - 1.0F;
    const float number_right = columns.incoming_x + columns.cell_width - 2.0F;
    const bool whole = added == row.keys();
    const std::string number = number_in(static_cast<float>(mean), 7, decimals);
    put_number(table, number_right, y, number, whole ? Tone::strong : Tone::quiet);
    const float before = number_right - text_width(number, table.type, true) - 6.0F - place.x;
    add_words(table.figure, {place.x, y}, Side::left,
              longest_fitting(
                  {base::text("stage.gradient.mean"), base::text("stage.gradient.mean.short"), ""},
                  table.type, before),
              Tone::quiet, table.type);
    add_words(
        table.figure, {number_right + 8.0F, y}, Side::left,
        longest_fitting({base::text("stage.gradient.over_keys", {{"sum", "= Σ p × d_weight"}}),
                         "= Σ p × d_weight", ""},
                        comparison_type, table.right - number_right - 8.0F),
        Tone::quiet, comparison_type);
  }
  const Rect below{place.x, table.footing + mean_line, table.right - place.x, comparison.height()};
  if (comparison.plot) {
    put_plot(table.figure, row, comparison.slopes, below);
    float y = below.y + 106.0F + 8.0F;
    for (const std::string& text : comparison.lines) {
      add_words(table.figure, {place.x, y}, Side::left, text, Tone::quiet, comparison_type);
      y += 16.0F;
    }
  } else if (!comparison.slopes.empty()) {
    put_in_words(table.figure, row, comparison.slopes, below);
  }
  stage.figures.push_back(std::move(table.figure));
}

}  // namespace stage
