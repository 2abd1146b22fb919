#include "stage/motion/routes.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>

#include "stage/layout/matrices/batch_stack.hpp"
#include "stage/motion/lines.hpp"

namespace stage {

namespace {

constexpr float off_cells = 5.0F;    // the least distance of a corner to the cells
constexpr float off_others = 8.0F;   // distance to what a line passes
constexpr float to_frame = 1.0F;     // from the cells to their frame, where a line ends
constexpr float to_label = 3.0F;     // distance to labels beside cells
constexpr float before_tip = 10.0F;  // room for the arrowhead after the last corner

/// The two ends of a link, and what else is on the stage.
struct Ends {
  const Stage& stage;
  std::size_t from;
  std::size_t to;
  Rect a;  // cells of `from`, with the sheets under them
  Rect b;  // cells of `to`
  std::vector<Rect> a_blocks;
  std::vector<Rect> b_blocks;
  Rect a_bounds;
  Rect b_bounds;
  std::size_t bias;  // the bias beside `from`, or else `from` itself
  Rect flow;         // the area of all matrices that can have lines

  /// The union of the other groups that overlap `area`; empty if there are none.
  Rect others_in(const Rect& area) const {
    Rect all;
    for (std::size_t i = 0; i < stage.groups.size(); ++i) {
      if (is_met(i, area)) all = all.united(stage.groups[i].bounds);
    }
    return all;
  }
  /// How many of the other groups overlap `area`.
  std::size_t met_by(const Rect& area) const {
    std::size_t count = 0;
    for (std::size_t i = 0; i < stage.groups.size(); ++i) {
      if (is_met(i, area)) ++count;
    }
    return count;
  }

 private:
  bool is_met(std::size_t group, const Rect& area) const {
    if (group == from || group == to || group == bias) return false;
    return !stage.groups[group].in_figure && stage.groups[group].bounds.overlaps(area);
  }
};

/// `at` if it is beside one of the matrices, otherwise the middle of the matrix nearest to
/// `towards`: a line to the gap between two heads would touch neither.
float onto(const std::vector<Rect>& matrices, float at, float towards, bool across) {
  float nearest = at;
  float distance = std::numeric_limits<float>::max();
  for (const Rect& matrix : matrices) {
    const float from = across ? matrix.y : matrix.x;
    const float to = across ? matrix.bottom() : matrix.right();
    if (at >= from && at <= to) return at;
    const float middle = (from + to) / 2.0F;
    if (std::fabs(middle - towards) >= distance) continue;
    distance = std::fabs(middle - towards);
    nearest = middle;
  }
  return nearest;
}

/// The matrices that touch the edge where a line begins or ends.
template <typename Reaches>
std::vector<Rect> at_edge(const std::vector<Rect>& matrices, Reaches reaches) {
  std::vector<Rect> all;
  std::copy_if(matrices.begin(), matrices.end(), std::back_inserter(all), reaches);
  return all;
}

/// Where a line leaves a group to the right.
Point right_of(const Ends& ends) {
  const std::vector<Rect> last = at_edge(
      ends.a_blocks, [&](const Rect& block) { return block.right() > ends.a.right() - 1.0F; });
  return {ends.a.right() + to_frame,
          onto(last, ends.a.centre().y, ends.b.centre().y, /*across=*/true)};
}

/// The x at which a line from the left ends: at the cells, or at the labels beside them.
float left_edge(const Rect& cells, const Rect& bounds) {
  return bounds.x < cells.x - 2.0F * to_frame ? bounds.x - to_label : cells.x - to_frame;
}

/// Where a line arrives at a group from the left.
Point left_of(const Ends& ends) {
  const std::vector<Rect> first =
      at_edge(ends.b_blocks, [&](const Rect& block) { return block.x < ends.b.x + 1.0F; });
  return {left_edge(ends.b, ends.b_bounds),
          onto(first, ends.b.centre().y, ends.a.centre().y, /*across=*/true)};
}

/// A thin vertical strip between two heights.
Rect upright(float x, float from, float to) {
  return {x - 1.0F, std::min(from, to) - 1.0F, 2.0F, std::fabs(to - from) + 2.0F};
}

/// Gives two ends that are almost level the same height, if that is beside the cells of both: a
/// slightly slanted line looks like a mistake.
void align(float& start, float& end, float a_from, float a_to, float b_from, float b_to) {
  constexpr float almost = 12.0F;
  if (std::fabs(end - start) > almost) return;
  const float middle = (start + end) / 2.0F;
  if (middle >= std::max(a_from, b_from) && middle <= std::min(a_to, b_to)) start = end = middle;
}

/// Whether a curve that rises runs into a caption. Captions can be wider than the cells below them.
bool meets_captions(const Ends& ends, const std::vector<Point>& curve) {
  constexpr int steps = 32;
  if (curve.back().y >= ends.a.y) return false;
  for (int i = 1; i < steps; ++i) {
    const Point point = along(curve, static_cast<float>(i) / static_cast<float>(steps));
    const bool own = point.y < ends.a.y && point.x < ends.a_bounds.right();
    if (own || ends.met_by({point.x - 1.0F, point.y - 1.0F, 2.0F, 2.0F}) > 0) return true;
  }
  return false;
}

/// A curve from left to right. If it would cross a caption, a curve that rises later or, as a last
/// resort, a line with corners.
Route curve_across(const Ends& ends, Point start, Point end) {
  align(start.y, end.y, ends.a.y, ends.a.bottom(), ends.b.y, ends.b.bottom());
  const float width = end.x - start.x;
  // Where a wide caption leaves too little room beyond it, a rising curve would cut through it.
  // Falling lines turn at the same place.
  const float beyond = std::max(start.x, ends.a_bounds.right());
  if (end.x - beyond >= width / 2.0F || start.y == end.y) {
    const float bend = std::max(12.0F, width / 2.0F);
    std::vector<Point> points{start, {start.x + bend, start.y}, {end.x - bend, end.y}, end};
    if (!meets_captions(ends, points)) return {true, std::move(points)};
    const float late = start.x + width * 0.85F;
    points = {start, {late, start.y}, {late, end.y}, end};
    if (!meets_captions(ends, points)) return {true, std::move(points)};
  }
  const float between = (beyond + end.x) / 2.0F;
  return {false, {start, {between, start.y}, {between, end.y}, end}};
}

Route curve_down(const Ends& ends, Point start, Point end) {
  align(start.x, end.x, ends.a.x, ends.a.right(), ends.b.x, ends.b.right());
  const float bend = std::max(4.0F, (end.y - start.y) / 2.0F);
  return {true, {start, {start.x, start.y + bend}, {end.x, end.y - bend}, end}};
}

/// A route from left to right, over or below what stands between and through a gap there. Empty if
/// it has to go around something and the lines that it could cross are not known yet.
std::optional<Route> to_the_right(const Ends& ends, const Lines* known) {
  const Point start = right_of(ends);
  const Point end = left_of(ends);
  const float top = std::min(start.y, end.y) - 1.0F;
  const float beyond =
      std::max(ends.a.right() + off_cells,
               ends.a_bounds.right() + 1.0F);  // a caption can be wider than its cells
  const float arrival = std::min(end.x - to_frame, ends.b_bounds.x - off_cells);
  const Rect straight{beyond, top, arrival - beyond, std::fabs(end.y - start.y) + 2.0F};
  if (ends.others_in(straight).empty()) return curve_across(ends, start, end);
  if (known == nullptr) return std::nullopt;
  const Rect strip{beyond, ends.flow.y - 1.0F, std::max(1.0F, arrival - beyond),
                   ends.flow.height + 2.0F};
  const Rect others = ends.others_in(strip);
  // If there is room, keep clear of the lines that go down beside the matrices.
  const float out = std::max(beyond + 2.0F, others.x - 2.0F * off_others);
  // Other lines turn in the middle of the gap, so this one turns later where the flow runs across.
  const float late = ends.stage.across ? end.x - before_tip : 0.0F;
  const float in = std::min(arrival - 2.0F, std::max(others.right() + off_others, late));
  const auto way_through = [&](float y) -> std::vector<Point> {
    return {start, {out, start.y}, {out, y}, {in, y}, {in, end.y}, end};
  };
  // Candidates are the gaps above and below every group. The best meets the fewest groups, then
  // crosses the fewest lines, then is the shortest.
  float channel = others.bottom() + off_others;
  std::tuple<std::size_t, std::size_t, float> best{ends.stage.groups.size() + 1, 0, 0.0F};
  for (const Group& group : ends.stage.groups) {
    for (const float y : {group.bounds.y - off_others, group.bounds.bottom() + off_others}) {
      const std::size_t met = ends.met_by(upright(out, start.y, y)) +
                              ends.met_by({out, y - 1.0F, in - out, 2.0F}) +
                              ends.met_by(upright(in, y, end.y));
      if (met > std::get<0>(best)) continue;
      const std::tuple<std::size_t, std::size_t, float> cost{
          met, ends.stage.across ? known->crossed_by(way_through(y), ends.to) : 0,
          std::fabs(y - start.y) + std::fabs(y - end.y)};
      if (cost >= best) continue;
      best = cost;
      channel = y;
    }
  }
  return Route{false, way_through(channel)};
}

/// A route from top to bottom; around the left of what stands between as a last resort.
std::optional<Route> downwards(const Ends& ends, const Lines* known) {
  const std::vector<Rect> lowest = at_edge(
      ends.a_blocks, [&](const Rect& block) { return block.bottom() > ends.a.bottom() - 1.0F; });
  const Point start{onto(lowest, ends.a.centre().x, ends.b.centre().x, /*across=*/false),
                    ends.a.bottom() + to_frame};
  const Point end{ends.b.centre().x, ends.b_bounds.y - to_frame};
  // Straight down where one stands above the other.
  const float from = std::max(ends.a.x, ends.b.x);
  const float to = std::min(ends.a.right(), ends.b.right());
  if (to - from >= 2.0F * off_others) {
    const float middle = (from + to) / 2.0F;
    const float place = onto(lowest, middle, from, /*across=*/false);
    const float x = place >= from && place <= to ? place : middle;
    if (ends.met_by(upright(x, start.y, end.y)) == 0)
      return curve_down(ends, {x, start.y}, {x, end.y});
  }
  const float left = std::min(start.x, end.x) - 1.0F;
  const Rect straight{left, start.y, std::fabs(end.x - start.x) + 2.0F,
                      std::max(1.0F, end.y - start.y)};
  if (ends.others_in(straight).empty()) return curve_down(ends, start, end);
  // First straight down past the neighbours, then sideways in the gap above the target.
  if (known == nullptr) return std::nullopt;
  float gap = end.y - off_others;
  // Do not lie on a line that leads to a neighbour of the target.
  while (gap > end.y - 2.0F * off_others && known->is_along(gap, start.x, end.x, ends.to))
    gap -= 4.0F;
  const Rect over{left, gap - 1.0F, straight.width, 2.0F};
  if (gap > start.y && ends.met_by(upright(start.x, start.y, gap)) + ends.met_by(over) == 0)
    return Route{false, {start, {start.x, gap}, {end.x, gap}, end}};
  // Otherwise sideways below its own row of matrices to a free way down, then sideways again above
  // the target. The shortest way that meets nothing wins.
  const float below = ends.a_bounds.bottom() + off_others;
  std::optional<float> way;
  const auto length = [&](float x) { return std::fabs(x - start.x) + std::fabs(x - end.x); };
  for (const Group& group : ends.stage.groups) {
    for (const float x : {group.bounds.x - off_others, group.bounds.right() + off_others}) {
      const auto level = [&](float from, float y) {
        return Rect{std::min(from, x) - 1.0F, y - 1.0F, std::fabs(x - from) + 2.0F, 2.0F};
      };
      const bool free = ends.met_by(upright(start.x, start.y, below)) +
                            ends.met_by(level(start.x, below)) +
                            ends.met_by(upright(x, below, gap).inset(-off_cells)) +
                            ends.met_by(level(end.x, gap)) ==
                        0;
      if (free && gap > below && (!way || length(x) < length(*way))) way = x;
    }
  }
  if (way) {
    return Route{false, {start, {start.x, below}, {*way, below}, {*way, gap}, {end.x, gap}, end}};
  }
  const Rect around = ends.others_in(straight).united(ends.a_bounds).united(ends.b_bounds);
  const float channel = around.x - off_others;
  return Route{false,
               {{left_edge(ends.a, ends.a_bounds), ends.a.centre().y},
                {channel, ends.a.centre().y},
                {channel, left_of(ends).y},
                left_of(ends)}};
}

bool alone_in_its_line(const Stage& stage, std::size_t group) {
  return std::count_if(stage.groups.begin(), stage.groups.end(), [&](const Group& other) {
           return !other.in_figure && other.line == stage.groups[group].line;
         }) == 1;
}

/// A route from the end of one line of the flow to the next: out on the right, back above the next
/// line, and in from the left.
Route to_the_next_line(const Ends& ends) {
  float top = ends.b_bounds.y;
  float leftmost = ends.b_bounds.x;
  for (const Group& group : ends.stage.groups) {
    if (group.in_figure || group.line != ends.stage.groups[ends.to].line) continue;
    top = std::min(top, group.bounds.y);
    leftmost = std::min(leftmost, group.bounds.x);
  }
  // A link to the middle of a line must not lie on the link to its beginning.
  const float beside = ends.b_bounds.x > leftmost ? 6.0F : 0.0F;
  // If other matrices stand to the right, go down in the gap before them.
  const Rect way_out{ends.a.right() + off_cells, ends.a.centre().y - 1.0F,
                     std::max(1.0F, ends.flow.right() - ends.a.right()), 2.0F};
  const Rect others = ends.others_in(way_out);
  const bool alone = alone_in_its_line(ends.stage, ends.from);
  const float outside = alone ? ends.a.right() + off_others
                        : others.empty()
                            ? ends.flow.right() + off_cells + beside
                            : std::max(ends.a.right() + off_cells + 1.0F, others.x - off_others);
  const float channel = top - 12.0F + beside;
  // Not so far out that it would be cut off.
  const float inside = std::max(left_of(ends).x - before_tip, ends.flow.x - off_cells);
  const Point start = right_of(ends);
  const Point end = left_of(ends);
  return {false,
          {start, {outside, start.y}, {outside, channel}, {inside, channel}, {inside, end.y}, end}};
}

/// The index of the bias to the right of this weight, where the line to their product begins; or
/// `group` itself.
std::size_t bias_beside(const Stage& stage, std::size_t group) {
  for (const model::Node& row : model::nodes_of<model::tables::multi_head_attention>) {
    const bool has_bias = row.operation == &ops::product && row.count == 3;
    if (!has_bias || row.of[1] != stage.groups[group].tensor) continue;
    for (std::size_t i = 0; i < stage.groups.size(); ++i) {
      if (stage.groups[i].tensor == row.of[2]) return i;
    }
  }
  return group;
}

/// The matrices of a group, each including the sheets under it.
std::vector<Rect> matrices_of_group(const Stage& stage, const Group& group) {
  std::vector<Rect> all;
  for (std::size_t i = 0; i < group.block_count; ++i)
    all.push_back(stage.blocks[group.first_block + i].cells);
  for (const Sheet& sheet : stage.sheets) {
    if (sheet.over < group.first_block || sheet.over >= group.first_block + group.block_count)
      continue;
    Rect& matrix = all[sheet.over - group.first_block];
    matrix = matrix.united(place_of(stage, sheet));
  }
  return all;
}

std::optional<Route> route_of(const Stage& stage, const Link& link, const Rect& flow,
                              const Lines* known) {
  const Group& from = stage.groups[link.from];
  const Group& to = stage.groups[link.to];
  const std::size_t bias = bias_beside(stage, link.from);
  Ends ends{stage,
            link.from,
            link.to,
            {},
            cells_of(stage, to),
            matrices_of_group(stage, from),
            matrices_of_group(stage, to),
            from.bounds,
            to.bounds,
            bias,
            flow};
  if (bias != link.from) {
    for (const Rect& matrix : matrices_of_group(stage, stage.groups[bias]))
      ends.a_blocks.push_back(matrix);
  }
  for (const Rect& matrix : ends.a_blocks) ends.a = ends.a.united(matrix);
  const bool below = ends.b_bounds.y >= ends.a.bottom() - 1.0F;
  const bool right = ends.b_bounds.x >= ends.a.right() - 1.0F;
  const bool wraps = stage.across && from.line != to.line && below &&
                     ends.b_bounds.x < ends.a.right() &&
                     !(alone_in_its_line(stage, link.from) && alone_in_its_line(stage, link.to));
  if (wraps) return to_the_next_line(ends);
  if (right && (stage.across || !below)) return to_the_right(ends, known);
  if (below) return downwards(ends, known);
  return std::nullopt;  // neighbours that overlap both ways need no line
}

}  // namespace

Rect cells_of(const Stage& stage, const Group& group) {
  Rect all;
  for (std::size_t i = 0; i < group.block_count; ++i)
    all = all.united(stage.blocks[group.first_block + i].cells);
  return all;
}

std::vector<Route> routes_of(const Stage& stage) {
  Rect flow;
  for (const Group& group : stage.groups) {
    if (!group.in_figure) flow = flow.united(group.bounds);
  }
  std::vector<std::optional<Route>> found(stage.links.size());
  Lines lines;
  // Lines that have to go around come second, when the lines that they could cross are known.
  for (const bool around : {false, true}) {
    for (std::size_t i = 0; i < stage.links.size(); ++i) {
      if (found[i]) continue;
      found[i] = route_of(stage, stage.links[i], flow, around ? &lines : nullptr);
      if (!found[i]) continue;
      found[i]->from = stage.links[i].from;
      found[i]->to = stage.links[i].to;
      lines.all.push_back({found[i]->to, pieces_of(*found[i])});
    }
  }
  std::vector<Route> routes;
  for (std::optional<Route>& route : found) {
    if (route) routes.push_back(*std::move(route));
  }
  return routes;
}

}  // namespace stage
