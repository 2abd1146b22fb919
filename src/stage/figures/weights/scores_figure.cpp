#include "stage/figures/step_figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "base/order.hpp"
#include "base/text.hpp"
#include "model/roles.hpp"
#include "stage/figures/arrow_plane.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/layout/tip_labels.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

using model::TensorId;
namespace roles = model::roles;

namespace {

constexpr float readout_line = 18.0F;
constexpr float score_note_line = 15.0F;

bool is_finite(Point p) { return std::isfinite(p.x) && std::isfinite(p.y); }

/// The smallest round number that is at least `value`, so that small edits do not rescale the view.
float rounded_up(float value) {
  if (!(value > 0.0F) || !std::isfinite(value)) return 0.0F;
  const float power = std::pow(10.0F, std::floor(std::log10(value)));
  for (const float step : {1.0F, 1.5F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F, 8.0F}) {
    if (step * power >= value * 0.9999F) return step * power;
  }
  return 10.0F * power;
}

/// A view of the plane with equal scales on both axes, so that angles are drawn correctly.
struct View {
  Rect seen;  // the visible range of numbers, y upwards
  Rect area;  // where it is drawn
  float unit = 1.0F;
  Point origin;

  Point at(Point p) const { return {origin.x + p.x * unit, origin.y - p.y * unit}; }
  Point from(Point place) const {
    return {(place.x - origin.x) / unit, (origin.y - place.y) / unit};
  }
};

View view_of(const ArrowPlane& plane, const Rect& area) {
  float left = 0.0F;
  float right = 0.0F;
  float low = 0.0F;
  float high = 0.0F;
  const auto take = [&](Point p) {
    if (!is_finite(p)) return;
    left = std::max(left, -p.x);
    right = std::max(right, p.x);
    low = std::max(low, -p.y);
    high = std::max(high, p.y);
  };
  take(plane.query);
  for (const Point& key : plane.keys) take(key);
  if (!plane.exact) {
    high = static_cast<float>(plane.above);
    low = static_cast<float>(plane.below);
  }
  left = rounded_up(left);
  right = rounded_up(right);
  low = rounded_up(low);
  high = rounded_up(high);
  if (left + right <= 0.0F) right = 1.0F;
  if (low + high <= 0.0F) low = high = 0.25F * (left + right);
  View view;
  view.seen = {-left, -low, left + right, low + high};
  view.area = area;
  const Rect inner = area.inset(std::min(24.0F, std::min(area.width, area.height) * 0.12F));
  view.unit = std::min(inner.width / view.seen.width, inner.height / view.seen.height);
  view.origin = {inner.centre().x + (left - right) / 2.0F * view.unit,
                 inner.centre().y + (high - low) / 2.0F * view.unit};
  return view;
}

void put_axes(Figure& figure, const View& view) {
  const Point origin = view.origin;
  add_line(figure, {view.area.x, origin.y}, {view.area.right(), origin.y}).opacity = 0.7F;
  add_line(figure, {origin.x, view.area.bottom()}, {origin.x, view.area.y}).opacity = 0.7F;
}

/// An arrow from the origin to `tip`, which must be finite.
Stroke& add_arrow(Figure& figure, const View& view, Point tip, Tone tone, float width) {
  Stroke& arrow = add_line(figure, view.origin, view.at(tip), tone);
  arrow.arrow = true;
  arrow.width = width;
  return arrow;
}

/// Projects the chosen key onto the query: its component along the query, with a right angle.
void put_component(Figure& figure, const View& view, const ArrowPlane& plane, std::size_t key) {
  const double length = plane.query_length;
  if (!(length > 0.0) || !is_finite(plane.query) || !is_finite(plane.keys[key])) return;
  const auto along = static_cast<float>(plane.dots[key] / (length * length));
  const Point foot{plane.query.x * along, plane.query.y * along};
  const Point from = view.at(plane.keys[key]);
  const Point to = view.at(foot);
  Stroke& component = add_line(figure, view.origin, to, Tone::accent);
  component.width = 4.0F;
  component.opacity = 0.55F;
  add_line(figure, from, to, Tone::quiet).dashed = true;
  const float height = std::hypot(from.x - to.x, from.y - to.y);
  const float way = std::hypot(to.x - view.origin.x, to.y - view.origin.y);
  if (height < 14.0F || way < 14.0F) return;
  const Point up{(from.x - to.x) / height * 7.0F, (from.y - to.y) / height * 7.0F};
  const Point back{(view.origin.x - to.x) / way * 7.0F, (view.origin.y - to.y) / way * 7.0F};
  add_line(figure, {to.x + up.x, to.y + up.y}, {to.x + up.x + back.x, to.y + up.y + back.y},
           Tone::quiet)
      .points.push_back({to.x + back.x, to.y + back.y});
}

void put_arrows(Figure& figure, const View& view, const ArrowPlane& plane, const QueryRow& row,
                std::size_t chosen) {
  const bool many = plane.keys.size() > 24;
  for (std::size_t key = 0; key < plane.keys.size(); ++key) {
    if (key == chosen || !is_finite(plane.keys[key])) continue;
    Stroke& arrow = add_arrow(figure, view, plane.keys[key], Tone::head, many ? 1.0F : 1.5F);
    arrow.head = row.head();
    arrow.opacity = many ? 0.3F : 0.5F;
  }
  put_component(figure, view, plane, chosen);
  if (is_finite(plane.query)) add_arrow(figure, view, plane.query, Tone::accent, 2.5F);
  if (is_finite(plane.keys[chosen]))
    add_arrow(figure, view, plane.keys[chosen], Tone::head, 2.5F).head = row.head();
}

/// The keys in order of importance: the chosen one, then by the absolute value of their score.
std::vector<std::size_t> by_importance(const ArrowPlane& plane, std::size_t chosen) {
  std::vector<base::SortKey> keys(plane.keys.size());
  for (std::size_t key = 0; key < keys.size(); ++key) {
    const double size = std::fabs(plane.dots[key]);
    keys[key].first = std::isnan(size) ? 1.0 : -size;
  }
  if (chosen < keys.size()) keys[chosen].first = -std::numeric_limits<double>::infinity();
  return base::order_of(keys);
}

struct Item {
  std::string label;
  std::string number;
  Tone tone = Tone::text;
  std::optional<document::CellRef> cell = {};
};

/// Two lines of numbers about the chosen key. Only the score and the weight are the trace's own.
std::pair<std::vector<Item>, std::vector<Item>> numbers_of(const QueryRow& row,
                                                           const ArrowPlane& plane,
                                                           std::size_t key) {
  const double q = plane.query_length;
  const double k = plane.key_lengths[key];
  const double dot = plane.dots[key];
  std::vector<Item> lengths{{"|q|", short_text(q)}, {"|k|", short_text(k)}};
  const std::string angle_word(base::text("stage.arrows.angle"));
  if (q > 0.0 && k > 0.0 && std::isfinite(q) && std::isfinite(k)) {
    const double cosine = std::clamp(dot / (q * k), -1.0, 1.0);
    constexpr double degrees = 57.29577951308232;
    const auto angle = static_cast<float>(std::acos(cosine) * degrees);
    lengths.push_back({angle_word, number_text(angle, 1) + "°"});
    lengths.push_back({"cos", number_text(static_cast<float>(cosine), 3)});
  } else {
    lengths.push_back({angle_word, std::string(base::text("stage.arrows.undefined")), Tone::quiet});
  }
  const float score = row.value("scores", key);
  const bool agrees = std::fabs(static_cast<double>(score) - dot) <= 1e-4 * (1.0 + q * k) ||
                      (std::isnan(score) && std::isnan(dot));
  // With a mistake switched on, `scores` can differ from q · k.
  std::vector<Item> product{{agrees ? "q · k" : std::string(base::text("stage.score.plain")),
                             short_text(static_cast<double>(score)), Tone::strong,
                             row.cell("scores", key)}};
  if (!agrees) product.push_back({"≠ q · k", short_text(dot)});
  if (q > 0.0 && std::isfinite(q)) {
    product.push_back({std::string(base::text("stage.arrows.along")), short_text(dot / q)});
    product.push_back({"× |q|", short_text(q)});
  }
  return {lengths, product};
}

float width_of(const Item& item, float size) {
  return text_width(item.label, size) + 5.0F +
         text_width(item.number, size, true, item.tone == Tone::strong);
}

/// Sets items from left to right, as many as fit. `equation`: all of them or only the first.
void put_items(Figure& figure, const std::vector<Item>& items, bool equation, float x, float right,
               float y) {
  constexpr float size = 11.5F;
  float whole = x;
  for (const Item& item : items) whole += width_of(item, size) + 13.0F;
  for (const Item& item : items) {
    const float width = width_of(item, size);
    if (x + width > right) return;
    add_words(figure, {x, y}, Side::left, item.label, Tone::quiet, size);
    add_number(figure, {x + text_width(item.label, size) + 5.0F, y}, Side::left, item.number,
               item.tone, size)
        .cell = item.cell;
    x += width + 13.0F;
    if (equation && whole - 13.0F > right) return;
  }
}

std::vector<std::string> notes_of(const ArrowPlane& plane, std::size_t head_dim, float width) {
  std::vector<std::string> notes;
  if (!(plane.query_length > 0.0)) notes.emplace_back(base::text("stage.arrows.zero"));
  if (plane.exact) {
    notes.emplace_back(
        base::text(head_dim == 1 ? "stage.arrows.one_dimension" : "stage.arrows.two_dimensions"));
  } else {
    notes.emplace_back(base::text("stage.arrows.right"));
    notes.emplace_back(
        base::text(plane.towards_chosen ? "stage.arrows.up" : "stage.arrows.up_beside"));
  }
  return lines_of(notes, 11.0F, width);
}

/// The two input cells that are the q or k of one token; empty if anything is computed in between.
std::optional<std::array<document::CellAddress, 2>> cells_behind(const FigureInput& input,
                                                                 const QueryRow& row,
                                                                 TensorId heads, TensorId given,
                                                                 std::size_t token) {
  const model::Trace& trace = row.trace();
  if (trace.config.head_dim() != 2) return std::nullopt;
  if (!trace[given].shares_storage_with(trace[heads]) ||
      !document::is_editable(row.attention(), given)) {
    return std::nullopt;
  }
  std::array<document::CellAddress, 2> cells;
  for (std::size_t d = 0; d < 2; ++d) {
    const tensor::Index index{row.sample(), token, row.head() * 2 + d};
    cells[d] = document::canonical(input.computed, {row.attention().id, given, index});
    // With position encoding, the cell that is edited differs from the number that is drawn.
    if (!trace[cells[d].tensor].shares_storage_with(trace[heads])) return std::nullopt;
  }
  return cells;
}

std::function<std::optional<document::Command>(Point)> drag_of(
    const View& view, const std::optional<std::array<document::CellAddress, 2>>& cells) {
  if (!cells) return {};
  return [view, to = *cells](Point place) -> std::optional<document::Command> {
    const Point wanted = view.from(place);
    // Round to what a pixel can show, and stay in the visible range so that the view does not
    // change.
    const float step = std::pow(10.0F, std::floor(std::log10(2.0F / view.unit)));
    const auto value = [step](float number, float low, float high) {
      return std::round(std::clamp(number, low, high) / step) * step;
    };
    const float x = value(wanted.x, view.seen.x, view.seen.right());
    const float y = value(wanted.y, view.seen.y, view.seen.bottom());
    return document::EditCells{{{to[0], x}, {to[1], y}}};
  };
}

/// What the query meets: the keys, or by mistake the columns of K, which belong to no token. Who
/// guesses the mistake is not told.
struct Met {
  const QueryRow& row;
  bool columns = false;

  std::string name(std::size_t which) const {
    return columns ? base::text("stage.arrows.column", {{"index", which}}) : row.key_token(which);
  }
};

void put_targets(Figure& figure, const FigureInput& input, const View& view,
                 const ArrowPlane& plane, const Met& met, const std::vector<std::size_t>& order) {
  const QueryRow& row = met.row;
  constexpr float reach = 11.0F;
  const auto around = [&view](Point at) {
    const Rect square{at.x - reach, at.y - reach, 2.0F * reach, 2.0F * reach};
    return square.intersected(view.area);
  };
  const model::Node& made = *row.trace().made_by("scores");
  auto drag = drag_of(view, cells_behind(input, row, made.of[0], roles::query, row.query()));
  if (drag && is_finite(plane.query)) {
    figure.targets.push_back({around(view.at(plane.query)),
                              base::text("stage.arrows.drag", {{"token", row.query_token()}}),
                              {},
                              std::move(drag)});
  }
  // Where targets overlap the last one counts, so the most important keys come last.
  for (auto key = order.rbegin(); key != order.rend(); ++key) {
    if (!is_finite(plane.keys[*key])) continue;
    figure.targets.push_back(
        {around(view.at(plane.keys[*key])),
         base::text("stage.arrows.compare", {{"token", met.name(*key)}}), document::ChooseKey{*key},
         met.columns ? decltype(Target::drag){}
                     : drag_of(view, cells_behind(input, row, made.of[1], roles::key, *key))});
  }
}

}  // namespace

void put_scores_figure(Stage& stage, const FigureInput& input, const Rect& wanted) {
  const Rect place = at_least(wanted, 200.0F, 140.0F);
  const QueryRow row(input);
  const model::Trace& trace = row.trace();
  const std::size_t chosen = std::min(input.view_state.key, row.keys() - 1);
  const auto of_head = [&](TensorId id) {
    return trace[id].select(0, row.sample()).select(0, row.head());
  };
  const model::Node& made = *trace.made_by("scores");
  const Met met{row, made.operation == &ops::product_untransposed && !input.view_state.guessing};
  const tensor::Tensor keys = of_head(made.of[1]);
  const ArrowPlane plane = arrow_plane(of_head(made.of[0]).select(0, row.query()),
                                       met.columns ? keys.transpose(0, 1) : keys, chosen);
  std::vector<std::string> notes = notes_of(plane, trace.config.head_dim(), place.width);
  const float readout = 3.0F * readout_line;
  constexpr float least_plane = 100.0F;  // what the notes explain comes first
  const float noted = score_note_line * static_cast<float>(notes.size());
  if (place.height - query_line - readout - noted - 6.0F < least_plane) notes.clear();
  const float below = readout + score_note_line * static_cast<float>(notes.size()) + 6.0F;

  Figure figure = figure_in("arrow-plane", place);
  put_query(figure, row, place.x, place.right(), place.y + query_line / 2.0F - 2.0F);
  const Rect area{place.x, place.y + query_line, place.width, place.height - query_line - below};
  const View view = view_of(plane, area);
  put_axes(figure, view);
  put_arrows(figure, view, plane, row, chosen);

  const std::vector<std::size_t> order = by_importance(plane, chosen);
  TipLabels labels(area, view.origin);
  const float longest = place.width * 0.4F;
  if (is_finite(plane.query)) labels.put(figure, view.at(plane.query), "q", Tone::accent, 13.0F);
  for (const std::size_t key : order) {
    if (!is_finite(plane.keys[key])) continue;
    labels.put(figure, view.at(plane.keys[key]), cut_to(met.name(key), 11.0F, longest),
               key == chosen ? Tone::strong : Tone::quiet, 11.0F);
  }
  put_targets(figure, input, view, plane, met, order);

  float y = area.bottom() + 6.0F + readout_line / 2.0F;
  const std::string key_name = base::text(
      met.columns ? "stage.arrows.instead_of_key" : "stage.arrows.key", {{"index", chosen}});
  add_words(figure, {place.x, y}, Side::left, key_name, Tone::quiet, 11.5F);
  const float token_x = place.x + text_width(key_name, 11.5F) + 8.0F;
  add_words(figure, {token_x, y}, Side::left,
            cut_to(met.name(chosen), 13.0F, place.right() - token_x), Tone::strong, 12.5F);
  const auto [lengths, product] = numbers_of(row, plane, chosen);
  put_items(figure, lengths, false, place.x, place.right(), y + readout_line);
  put_items(figure, product, true, place.x, place.right(), y + 2.0F * readout_line);
  y += 2.0F * readout_line;
  y += readout_line / 2.0F + score_note_line / 2.0F;
  for (const std::string& note : notes) {
    add_words(figure, {place.x, y}, Side::left, note, Tone::quiet, 11.0F);
    y += score_note_line;
  }
  stage.figures.push_back(std::move(figure));
}

}  // namespace stage
