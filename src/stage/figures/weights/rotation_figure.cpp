// Rotary positions: each pair of numbers of the chosen query as an arrow, before and after it is
// turned by its angle.
#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "stage/figures/row_table.hpp"
#include "stage/figures/step_figures.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

namespace {

constexpr float pi = 3.14159265F;
constexpr float least_plane = 118.0F;  // the width and height of a pair
constexpr float pair_words = 50.0F;    // three lines below each plane
constexpr float turn_note_line = 15.0F;

/// One pair of numbers of a head's query.
struct TurnedPair {
  std::size_t places[2];  // of its numbers in the head
  document::CellRef before[2];
  document::CellRef after[2];
  Point from;
  Point to;
  double angle = 0.0;  // as it was computed
};

TurnedPair pair_of(const QueryRow& row, std::size_t pair) {
  const model::Trace& trace = row.trace();
  const model::TensorId source = trace.made_by("q_rotated")->of[0];
  const bool neighbours = trace.config.variants.rope_neighbours;
  TurnedPair made;
  made.places[0] = neighbours ? 2 * pair : pair;
  made.places[1] = neighbours ? 2 * pair + 1 : pair + trace.config.rope_dims() / 2;
  float numbers[4];
  for (std::size_t side = 0; side < 2; ++side) {
    const tensor::Index index{row.sample(), row.head(), row.query(), made.places[side]};
    made.before[side] = {source, index};
    made.after[side] = {"q_rotated", index};
    numbers[side] = trace[source].at(index);
    numbers[2 + side] = trace["q_rotated"].at(index);
  }
  made.from = {numbers[0], numbers[1]};
  made.to = {numbers[2], numbers[3]};
  made.angle = model::explain(trace, "q_rotated", made.after[0].index).angle;
  return made;
}

/// The points of an arc around `centre` from one direction on, counterclockwise, y upwards.
std::vector<Point> arc(Point centre, float radius, float begin, float angle) {
  const auto count = static_cast<std::size_t>(std::fabs(angle) / 0.15F) + 2;
  std::vector<Point> points;
  for (std::size_t i = 0; i <= count; ++i) {
    const float at = begin + angle * static_cast<float>(i) / static_cast<float>(count);
    points.push_back({centre.x + radius * std::cos(at), centre.y - radius * std::sin(at)});
  }
  return points;
}

/// "θ = 1.200 = 68.8°".
std::string angle_text(double angle) {
  constexpr double degrees = 57.29577951308232;
  return "θ = " + number_text(static_cast<float>(angle), 3) + " = " +
         number_text(static_cast<float>(angle * degrees), 1) + "°";
}

constexpr float between_numbers = 7.0F;

std::string pair_number(float value) { return number_text(value, 2); }

float width_of(Point numbers) {
  return text_width(pair_number(numbers.x), 11.0F, true) +
         text_width(pair_number(numbers.y), 11.0F, true) + 2.0F * between_numbers;
}

/// The two numbers of a pair beside each other.
void put_pair(Figure& figure, const document::CellRef (&cells)[2], Point numbers, float x, float y,
              Tone tone) {
  const std::string first = pair_number(numbers.x);
  add_number(figure, {x, y}, Side::left, first, tone, 11.0F).cell = cells[0];
  x += text_width(first, 11.0F, true) + between_numbers;
  add_number(figure, {x, y}, Side::left, pair_number(numbers.y), tone, 11.0F).cell = cells[1];
}

void put_plane(Figure& figure, const QueryRow& row, std::size_t pair, const Rect& place) {
  const TurnedPair made = pair_of(row, pair);
  const Rect plane{place.x, place.y, place.width, place.height - pair_words};
  const Point centre = plane.centre();
  const float radius = std::min(plane.width, plane.height) / 2.0F - 8.0F;
  add_line(figure, {centre.x - radius, centre.y}, {centre.x + radius, centre.y}).opacity = 0.6F;
  add_line(figure, {centre.x, centre.y + radius}, {centre.x, centre.y - radius}).opacity = 0.6F;
  const float length = std::hypot(made.from.x, made.from.y);
  if (length > 0.0F && std::isfinite(length)) {
    // A turn keeps the length: both tips lie on one circle.
    Stroke circle;
    circle.points = arc(centre, radius, 0.0F, 2.0F * pi);
    circle.tone = Tone::quiet;
    circle.opacity = 0.5F;
    figure.strokes.push_back(std::move(circle));
    const float unit = radius / length;
    const auto tip = [&](Point p) { return Point{centre.x + p.x * unit, centre.y - p.y * unit}; };
    const float turn = static_cast<float>(std::fmod(made.angle, 2.0 * 3.14159265358979323846));
    if (turn > 0.0F) {
      Stroke way;
      way.points = arc(centre, radius * 0.45F, std::atan2(made.from.y, made.from.x), turn);
      way.tone = Tone::accent;
      way.arrow = turn > 0.2F;
      figure.strokes.push_back(std::move(way));
    }
    Stroke& before = add_line(figure, centre, tip(made.from), Tone::head);
    before.head = row.head();
    before.arrow = true;
    before.width = 1.5F;
    before.opacity = 0.6F;
    Stroke& after = add_line(figure, centre, tip(made.to), Tone::accent);
    after.arrow = true;
    after.width = 2.5F;
  }
  float y = plane.bottom() + 9.0F;
  add_words(
      figure, {place.x, y}, Side::left,
      longest_fitting({base::text("stage.rotation.pair",
                                  {{"first", made.places[0]}, {"second", made.places[1]}}),
                       std::to_string(made.places[0]) + ", " + std::to_string(made.places[1])},
                      11.0F, place.width),
      Tone::quiet, 11.0F);
  y += 16.0F;
  add_words(figure, {place.x, y}, Side::left,
            longest_fitting(
                {angle_text(made.angle), "θ = " + number_text(static_cast<float>(made.angle), 3)},
                11.0F, place.width),
            Tone::text, 11.0F);
  y += 16.0F;
  // Both pairs where they fit, else the turned one.
  constexpr float arrow = 18.0F;
  float x = place.x;
  if (width_of(made.from) + width_of(made.to) + arrow <= place.width) {
    put_pair(figure, made.before, made.from, x, y, Tone::quiet);
    x += width_of(made.from);
    add_words(figure, {x, y}, Side::left, "→", Tone::quiet, 11.0F);
    x += arrow;
  }
  put_pair(figure, made.after, made.to, x, y, Tone::text);
}

}  // namespace

bool has_rotation(const FigureInput& input) { return input.attention.trace.has("q_rotated"); }

void put_rotation_figure(Stage& stage, const FigureInput& input, const Rect& wanted) {
  const Rect place = at_least(wanted, 240.0F, 150.0F);
  const QueryRow row(input);
  Figure figure = figure_in("rotation", place);
  put_query(figure, row, place.x, place.right(), place.y + query_line / 2.0F);

  std::vector<std::string> said;
  if (row.query() == 0) said.emplace_back(base::text("stage.rotation.first"));
  said.emplace_back(base::text("stage.rotation.note"));
  const model::Trace& trace = row.trace();
  const std::size_t dims = trace.config.rope_dims();
  const std::size_t D = trace.config.head_dim();
  if (trace.has("rope_frequencies")) {
    said.emplace_back(base::text("stage.rotation.frequencies"));
  } else {
    said.push_back(
        base::text("stage.rotation.angle", {{"base", brief_number(trace.constants.rope_base)},
                                            {"width", dims == D ? "D" : std::to_string(dims)}}));
  }
  if (trace.constants.rope_factor != 1.0F) {
    said.push_back(base::text("stage.rotation.factor",
                              {{"factor", brief_number(trace.constants.rope_factor)}}));
  }
  if (dims < D)
    said.push_back(base::text("stage.rotation.rest", {{"first", dims}, {"last", D - 1}}));
  std::vector<std::string> notes = lines_of(said, 11.0F, place.width - 4.0F);
  if (place.height < 330.0F) notes.clear();
  const std::size_t pairs = dims / 2;
  const float top = place.y + query_line + 4.0F;
  const auto rooms = [](float length) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(length / least_plane));
  };
  const float height =
      place.height - query_line - 4.0F - turn_note_line * static_cast<float>(notes.size() + 1);
  const std::size_t across = std::min(rooms(place.width), pairs);
  const std::size_t most_down =
      std::max<std::size_t>(1, static_cast<std::size_t>(height / (least_plane + pair_words)));
  const std::size_t down = std::min(most_down, (pairs + across - 1) / across);
  const std::size_t shown = std::min(pairs, across * down);
  const float width = place.width / static_cast<float>(across);
  const float one = std::min(height / static_cast<float>(down), width + pair_words);
  for (std::size_t i = 0; i < shown; ++i) {
    const Rect plane{place.x + width * static_cast<float>(i % across),
                     top + one * static_cast<float>(i / across), width - 8.0F, one - 6.0F};
    put_plane(figure, row, i, plane);
  }
  float y = top + one * static_cast<float>(down) + turn_note_line / 2.0F;
  if (shown < pairs) {
    add_words(figure, {place.x, y}, Side::left,
              base::counted_text("stage.rotation.more", pairs - shown), Tone::quiet, 11.0F);
    y += turn_note_line;
  }
  for (const std::string& note : notes) {
    add_words(figure, {place.x, y}, Side::left, note, Tone::quiet, 11.0F);
    y += turn_note_line;
  }
  stage.figures.push_back(std::move(figure));
}

}  // namespace stage
