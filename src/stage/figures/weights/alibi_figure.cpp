// The biases of ALiBi: a line for each head, which falls with the distance of query and key.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/order.hpp"
#include "base/text.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

namespace {

constexpr float around_plot = 52.0F;  // to the left, for the numbers of the axis
constexpr float most_slope_words = 136.0F;
constexpr float slope_line = 14.0F;
constexpr float bias_note_line = 15.0F;

/// Where distances and biases lie: the distance 0 at the left, the bias 0 at the top.
struct BiasPlot {
  Rect area;
  float farthest = 1.0F;  // the largest distance, at least 1
  float lowest = -1.0F;   // the smallest bias of any head, below 0

  Point at(float distance, float bias) const {
    return {area.x + area.width * distance / farthest, area.y + area.height * bias / lowest};
  }
};

/// Places for labels of the lines that end at `ends`, from the top: no two overlap. Of many, only
/// those of `chosen` and of as many others as have room are there.
struct EndLabel {
  std::size_t head = 0;
  float y = 0.0F;
};
std::vector<EndLabel> end_labels(const std::vector<float>& ends, std::size_t chosen, float top,
                                 float bottom) {
  std::vector<EndLabel> labels;
  for (std::size_t head = 0; head < ends.size(); ++head) labels.push_back({head, ends[head]});
  const auto room = static_cast<std::size_t>(std::max(1.0F, (bottom - top) / slope_line));
  while (labels.size() > room) {
    const auto last = labels.back().head == chosen ? labels.end() - 2 : labels.end() - 1;
    labels.erase(labels.size() == 1 ? labels.begin() : last);
  }
  labels = base::sorted_by(std::move(labels), [](const EndLabel& label) {
    return base::SortKey{static_cast<double>(label.y)};
  });
  float least = top + slope_line / 2.0F;
  for (EndLabel& label : labels) {
    label.y = std::max(label.y, least);
    least = label.y + slope_line;
  }
  float most = bottom - slope_line / 2.0F;
  for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
    label->y = std::min(label->y, most);
    most = label->y - slope_line;
  }
  return labels;
}

/// The slope as it was computed: what a token of distance takes from a score.
float slope_of(const model::Trace& trace, std::size_t head) {
  return static_cast<float>(-model::explain(trace, "alibi_bias", {head, 0, 0}).factor);
}

std::string slope_words(const QueryRow& row, std::size_t head) {
  return base::text("stage.alibi.slope",
                    {{"index", head}, {"slope", number_text(slope_of(row.trace(), head), 4)}});
}

void put_lines(Figure& figure, const BiasPlot& plot, const QueryRow& row) {
  const tensor::Tensor& bias = row.trace()["alibi_bias"];
  std::vector<float> ends;
  for (std::size_t head = 0; head < bias.dim(0); ++head) {
    Stroke line;
    line.tone = Tone::head;
    line.head = head;
    line.width = head == row.head() ? 2.5F : 1.25F;
    line.opacity = head == row.head() ? 1.0F : 0.7F;
    // Of query 0, key j is at distance j.
    for (std::size_t key = 0; key < bias.dim(2); ++key)
      line.points.push_back(plot.at(static_cast<float>(key), bias.at({head, 0, key})));
    if (line.points.size() == 1) line.points.push_back(line.points.front());
    ends.push_back(line.points.back().y);
    figure.strokes.push_back(std::move(line));
  }
  const float x = plot.area.right() + 8.0F;
  for (const EndLabel& label : end_labels(ends, row.head(), plot.area.y, plot.area.bottom())) {
    const bool chosen = label.head == row.head();
    add_words(figure, {x, label.y}, Side::left,
              cut_to(slope_words(row, label.head), 11.0F, figure.bounds.right() - x),
              chosen ? Tone::strong : Tone::quiet, 11.0F);
  }
}

/// The biases of the chosen query and head: each key at its distance, the chosen one in numbers.
void put_keys(Figure& figure, const BiasPlot& plot, const QueryRow& row, std::size_t chosen) {
  const tensor::Tensor& bias = row.trace()["alibi_bias"];
  const auto distance_to = [&](std::size_t key) {
    return static_cast<float>(key > row.query() ? key - row.query() : row.query() - key);
  };
  constexpr float side = 5.0F;
  for (std::size_t key = 0; key < row.keys(); ++key) {
    const document::CellRef cell{"alibi_bias", {row.head(), row.query(), key}};
    const float value = bias.at(cell.index);
    const Point at = plot.at(distance_to(key), value);
    const bool is_chosen = key == chosen;
    const float half = (is_chosen ? side + 3.0F : side) / 2.0F;
    figure.bars.push_back({{at.x - half, at.y - half, 2.0F * half, 2.0F * half},
                           is_chosen ? Tone::accent : Tone::head,
                           row.head(),
                           1.0F,
                           value,
                           cell});
    figure.targets.push_back(
        {Rect{at.x - 6.0F, at.y - 6.0F, 12.0F, 12.0F}.intersected(figure.bounds),
         base::text("stage.arrows.compare", {{"token", row.key_token(key)}}),
         document::ChooseKey{key},
         {}});
  }
}

/// "bias of owl: −0.25 × 3 = −0.75"
void put_equation(Figure& figure, const QueryRow& row, std::size_t key, float right, float y) {
  const document::CellRef cell{"alibi_bias", {row.head(), row.query(), key}};
  const model::Explanation made = model::explain(row.trace(), cell.tensor, cell.index);
  const std::string number = number_text(made.cell.value, 4);
  const std::string product = number_text(static_cast<float>(made.factor), 4) + " × " +
                              number_text(static_cast<float>(made.distance), 0) + " =";
  const float number_x = right - text_width(number, 12.0F, true, true);
  const float product_x = number_x - 7.0F - text_width(product, 12.0F, true);
  add_words(figure, {figure.bounds.x, y}, Side::left,
            cut_to(row.key_token(key), 12.0F, product_x - figure.bounds.x - 10.0F), Tone::quiet,
            12.0F);
  add_number(figure, {product_x, y}, Side::left, product, Tone::text, 12.0F);
  add_number(figure, {number_x, y}, Side::left, number, Tone::strong, 12.0F).cell = cell;
}

}  // namespace

bool has_alibi(const FigureInput& input) { return input.attention.trace.has("alibi_bias"); }

void put_alibi_figure(Stage& stage, const FigureInput& input, const Rect& wanted) {
  const Rect place = at_least(wanted, 240.0F, 150.0F);
  const QueryRow row(input);
  const tensor::Tensor& bias = row.trace()["alibi_bias"];
  const std::size_t chosen = std::min(input.view_state.key, row.keys() - 1);
  Figure figure = figure_in("alibi", place);
  put_query(figure, row, place.x, place.right(), place.y + query_line / 2.0F);

  std::vector<std::string> notes =
      lines_of(base::text("stage.alibi.note"), 11.0F, place.width - 4.0F);
  if (place.height < 230.0F) notes.clear();
  const float below = 44.0F + bias_note_line * static_cast<float>(notes.size());
  float beside = 0.0F;
  for (std::size_t head = 0; head < bias.dim(0); ++head)
    beside = std::max(beside, text_width(slope_words(row, head), 11.0F, false, true) + 12.0F);
  beside = std::min(beside, most_slope_words);
  BiasPlot plot;
  plot.area = {place.x + around_plot, place.y + query_line + 10.0F,
               place.width - around_plot - beside,
               std::max(40.0F, place.height - query_line - 10.0F - below)};
  plot.farthest = static_cast<float>(std::max<std::size_t>(1, bias.dim(2) - 1));
  const std::vector<float> biases = bias.values();
  const float lowest = *std::min_element(biases.begin(), biases.end());
  if (lowest < 0.0F) plot.lowest = lowest;

  const Rect& area = plot.area;
  add_line(figure, {area.x, area.y}, {area.right(), area.y});
  add_line(figure, {area.x, area.y}, {area.x, area.bottom()});
  add_number(figure, {area.x - 6.0F, area.y}, Side::right, "0", Tone::quiet, 11.0F);
  add_number(figure, {area.x - 6.0F, area.bottom() - 6.0F}, Side::right, short_text(plot.lowest),
             Tone::quiet, 11.0F);
  put_lines(figure, plot, row);
  put_keys(figure, plot, row, chosen);
  float y = area.bottom() + 12.0F;
  const std::string last = number_text(plot.farthest, 0);
  add_number(figure, {area.x, y}, Side::left, "0", Tone::quiet, 11.0F);
  add_number(figure, {area.right(), y}, Side::right, last, Tone::quiet, 11.0F);
  const float room = area.width - 24.0F - 2.0F * text_width(last, 11.0F, true);
  add_words(figure, {area.centre().x, y}, Side::centre,
            longest_fitting({base::text("stage.alibi.distance"), "|i − j|"}, 11.0F, room),
            Tone::quiet, 11.0F);
  y += 20.0F;
  put_equation(figure, row, chosen, place.right() - 4.0F, y);
  for (const std::string& note : notes) {
    y += bias_note_line;
    add_words(figure, {place.x, y}, Side::left, note, Tone::quiet, 11.0F);
  }
  stage.figures.push_back(std::move(figure));
}

}  // namespace stage
