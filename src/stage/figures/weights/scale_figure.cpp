#include "stage/figures/step_figures.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/figures/weights/other_scale.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

using model::Scale;

namespace {

constexpr float footing_height = 44.0F;
constexpr float row_gap = 12.0F;

/// One way to scale the scores, and the weights that follow from it.
struct Choice {
  Scale scale;
  bool present = false;
  std::vector<float> weights;  // [Lk]
  std::size_t largest = 0;
};

std::vector<Choice> choices_of(const QueryRow& row) {
  const Scale chosen = scale_in_use(row);
  std::vector<Choice> choices;
  for (const Scale::Kind kind : {Scale::Kind::none, Scale::Kind::sqrt_head_dim,
                                 Scale::Kind::sqrt_keys, Scale::Kind::number}) {
    if (kind == Scale::Kind::number && chosen.kind != kind) continue;
    Choice choice;
    choice.scale = {kind, kind == Scale::Kind::number ? chosen.number : 1.0F};
    choice.present = kind == chosen.kind;
    choice.weights = weights_with(row, choice.scale);
    const auto first = choice.weights.begin();
    choice.largest =
        static_cast<std::size_t>(std::max_element(first, choice.weights.end()) - first);
    choices.push_back(std::move(choice));
  }
  return choices;
}

Lengths name_of(Scale::Kind kind) {
  if (kind == Scale::Kind::none)
    return {base::text("stage.scale.none"), base::text("stage.scale.none.short")};
  if (kind == Scale::Kind::number)
    return {base::text("stage.scale.number"), base::text("stage.scale.number.short")};
  return {kind == Scale::Kind::sqrt_keys ? "÷ √Lk" : "÷ √D"};
}

Lengths divisor_of(const QueryRow& row, const Scale& scale) {
  const std::size_t head_dim = row.trace().config.head_dim();
  if (scale.kind == Scale::Kind::none)
    return {base::text("stage.scale.unscaled"), base::text("stage.scale.unscaled.short"), ""};
  const std::string text = divisor_text(scale, head_dim, row.keys());
  const std::string number = number_in(scale.divisor(head_dim, row.keys()), 6, 2);
  if (scale.kind == Scale::Kind::number) return {number};
  return {text + " = " + number, number};
}

std::string label_of(const QueryRow& row, const Choice& choice) {
  if (choice.scale.kind == Scale::Kind::none)
    return std::string(base::text("stage.scale.choose_none"));
  return base::text(
      "stage.scale.choose",
      {{"divisor", divisor_text(choice.scale, row.trace().config.head_dim(), row.keys())}});
}

/// The tokens that get the largest weight: there may be several.
std::string tokens_with(const QueryRow& row, const Choice& choice, float width) {
  const std::string& first = row.key_token(choice.largest);
  std::string all;
  for (std::size_t key = 0; key < row.keys(); ++key) {
    if (!is_same(choice.weights[key], choice.weights[choice.largest])) continue;
    all += (all.empty() ? "" : ", ") + row.key_token(key);
  }
  return longest_fitting({all, all == first ? first : first + ", …", first}, 11.0F, width);
}

void put_choice(KeyTable& table, const QueryRow& row, const Choice& choice, float x, float width) {
  const float right = x + width;
  const int decimals = width >= 96.0F ? 3 : 2;
  const float number_width = table.type * 0.6F * static_cast<float>(decimals + 2);
  const float one = std::max(6.0F, width - number_width - 6.0F);
  // Set by hand or spoiled by a mistake, the trace's weights differ from the ones shown here.
  bool own = choice.present;
  for (std::size_t key = 0; key < row.keys() && own; ++key)
    own = is_same(choice.weights[key], row.value("attention_weights", key));

  put_heading(table, x, width, Side::left, name_of(choice.scale.kind),
              divisor_of(row, choice.scale));
  for (std::size_t i = 0; i < table.rows.keys.size(); ++i) {
    const std::size_t key = table.rows.keys[i];
    const float y = table.rows.middle(i);
    const float weight = choice.weights[key];
    std::optional<document::CellRef> cell;
    if (own) cell = row.cell("attention_weights", key);
    put_weight(table, i, x, one,
               {{}, Tone::head, row.head(), choice.present ? 1.0F : 0.55F, weight, cell});
    const bool largest = is_same(weight, choice.weights[choice.largest]) && weight > 0.0F;
    put_number(table, right, y, number_text(weight, decimals), largest ? Tone::strong : Tone::text,
               cell);
  }
  const float rows_bottom =
      table.rows.top + table.rows.pitch * static_cast<float>(table.rows.keys.size());
  // The axes: 0 at the left line, a weight of 1 at the right one.
  add_line(table.figure, {x - 0.5F, table.rows.top}, {x - 0.5F, rows_bottom});
  add_line(table.figure, {x + one, table.rows.top}, {x + one, rows_bottom}).opacity = 0.5F;

  const float y = table.footing + 14.0F;
  const float largest = choice.weights[choice.largest];
  put_number(table, right, y, number_text(largest, decimals), Tone::strong);
  if (largest > 0.0F) {
    add_words(table.figure, {right, y + 16.0F}, Side::right, tokens_with(row, choice, width),
              Tone::quiet, 11.0F);
  }
  const Rect column{x - row_gap / 2.0F, table.headings - 4.0F, width + row_gap - 2.0F,
                    table.footing + footing_height - table.headings};
  if (choice.present) {
    add_frame(table.figure, column, Tone::accent, 1.5F);
  } else {
    table.figure.targets.push_back(
        {column, label_of(row, choice), document::SetScale{choice.scale}, {}});
  }
}

}  // namespace

void put_scale_figure(Stage& stage, const FigureInput& input, const Rect& wanted) {
  const Rect place = at_least(wanted, 240.0F, 150.0F);
  const QueryRow row(input);
  const std::vector<Choice> choices = choices_of(row);
  TableSizes sizes;
  sizes.footing = footing_height;
  if (row.trace().fully_masked(row.sample(), row.head(), row.query()))
    sizes.notes.emplace_back(base::text("stage.scale.all_hidden"));
  else if (row.trace().overrides.gives(row.sample(), row.head(), row.query()))
    sizes.notes.emplace_back(base::text("stage.scale.by_hand"));
  else if (const std::size_t dim = row.trace().config.head_dim(); dim == row.keys())
    sizes.aside = base::text("stage.scale.aside_equal", {{"count", dim}});
  else
    sizes.aside = base::text("stage.scale.aside");
  // The rows stay the same for every choice: the most important keys of the current one.
  std::vector<float> importance(row.keys(), 0.0F);
  for (const Choice& choice : choices) {
    if (choice.present) importance = choice.weights;
  }
  KeyTable table = begin_table(row, "scales", place, sizes, importance, input.view_state.key);
  add_words(
      table.figure, {place.x, table.footing + 14.0F}, Side::left,
      longest_fitting({base::text("stage.scale.largest"), base::text("stage.scale.largest.short")},
                      11.0F, table.left - place.x - 4.0F),
      Tone::quiet, 11.0F);
  const auto count = static_cast<float>(choices.size());
  const float left = table.left + 4.0F;
  const float width = (table.right - left - row_gap / 2.0F - row_gap * (count - 1.0F)) / count;
  for (std::size_t i = 0; i < choices.size(); ++i)
    put_choice(table, row, choices[i], left + static_cast<float>(i) * (width + row_gap), width);
  stage.figures.push_back(std::move(table.figure));
}

}  // namespace stage
