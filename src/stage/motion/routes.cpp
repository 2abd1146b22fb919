#include "stage/motion/routes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace stage {

namespace {

constexpr float off_cells = 5.0F;   // a line starts and ends so far from the cells
constexpr float off_others = 8.0F;  // and keeps so far from what it passes

/// What a link joins, and everything else on the stage.
struct Ends {
  const Stage& stage;
  std::size_t from;
  std::size_t to;
  Rect a;  // cells of `from`
  Rect b;  // cells of `to`
  Rect a_bounds;
  Rect b_bounds;
  std::size_t bias;  // the group of the bias that belongs to `from`, or `from` itself
  Rect flow;         // where all matrices are that lines can join

  /// The union of the other groups that meet `area`; empty where none does.
  Rect others_in(const Rect& area) const {
    Rect all;
    for (std::size_t i = 0; i < stage.groups.size(); ++i) {
      if (is_met(i, area)) all = all.united(stage.groups[i].bounds);
    }
    return all;
  }
  /// How many of the other groups meet `area`.
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

/// A thin upright strip from one height to another.
Rect upright(float x, float from, float to) {
  return {x - 1.0F, std::min(from, to) - 1.0F, 2.0F, std::fabs(to - from) + 2.0F};
}

/// Where two ends lie almost in line, their middle if it is beside both cells: a line that is a
/// little slanted looks like a mistake.
void align(float& start, float& end, float a_from, float a_to, float b_from, float b_to) {
  constexpr float almost = 12.0F;
  if (std::fabs(end - start) > almost) return;
  const float middle = (start + end) / 2.0F;
  if (middle >= std::max(a_from, b_from) && middle <= std::min(a_to, b_to)) start = end = middle;
}

/// Whether a curve upwards runs into the captions over the cells it leaves, which can be wider than
/// the cells.
bool meets_captions(const Ends& ends, const std::vector<Point>& curve) {
  constexpr int steps = 32;
  if (curve.back().y >= ends.a.y) return false;
  for (int i = 1; i < steps; ++i) {
    const float t = static_cast<float>(i) / static_cast<float>(steps);
    const float u = 1.0F - t;
    const auto at = [t, u](float a, float b, float c, float d) {
      return u * u * u * a + 3.0F * u * u * t * b + 3.0F * u * t * t * c + t * t * t * d;
    };
    const Point point{at(curve[0].x, curve[1].x, curve[2].x, curve[3].x),
                      at(curve[0].y, curve[1].y, curve[2].y, curve[3].y)};
    const bool own = point.y < ends.a.y && point.x < ends.a_bounds.right();
    if (own || ends.met_by({point.x - 1.0F, point.y - 1.0F, 2.0F, 2.0F}) > 0) return true;
  }
  return false;
}

/// A curve from left to right; where it would cut a caption one that rises later, or at last a line
/// with corners.
Route curve_across(const Ends& ends, Point start, Point end) {
  align(start.y, end.y, ends.a.y, ends.a.bottom(), ends.b.y, ends.b.bottom());
  const float width = end.x - start.x;
  // A caption can be wider than its cells. Where little is left beyond it, what leaves upwards
  // would cut it, and what leaves downwards takes the same way.
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

/// From left to right. Past what stands between: over or under it, through a gap.
Route to_the_right(const Ends& ends) {
  const Point start{ends.a.right() + off_cells, ends.a.centre().y};
  const Point end{ends.b_bounds.x - off_cells, ends.b.centre().y};
  const float top = std::min(start.y, end.y) - 1.0F;
  const float beyond =
      std::max(start.x, ends.a_bounds.right() + 1.0F);  // a caption can be wider than its cells
  const Rect straight{beyond, top, end.x - beyond, std::fabs(end.y - start.y) + 2.0F};
  if (ends.others_in(straight).empty()) return curve_across(ends, start, end);
  const Rect strip{beyond, ends.flow.y - 1.0F, std::max(1.0F, end.x - beyond),
                   ends.flow.height + 2.0F};
  const Rect others = ends.others_in(strip);
  // Where there is room, farther than what goes down beside them.
  const float out = std::max(beyond + 2.0F, others.x - 2.0F * off_others);
  const float in = std::min(end.x - 2.0F, others.right() + off_others);
  // Every gap above or below a group is a way; the one that meets the fewest others is taken, and
  // of those the shortest.
  float channel = others.bottom() + off_others;
  std::pair<std::size_t, float> best{ends.stage.groups.size() + 1, 0.0F};
  for (const Group& group : ends.stage.groups) {
    for (const float y : {group.bounds.y - off_others, group.bounds.bottom() + off_others}) {
      const std::size_t met = ends.met_by(upright(out, start.y, y)) +
                              ends.met_by({out, y - 1.0F, in - out, 2.0F}) +
                              ends.met_by(upright(in, y, end.y));
      const std::pair<std::size_t, float> cost{met, std::fabs(y - start.y) + std::fabs(y - end.y)};
      if (cost >= best) continue;
      best = cost;
      channel = y;
    }
  }
  return {false, {start, {out, start.y}, {out, channel}, {in, channel}, {in, end.y}, end}};
}

/// From top to bottom. Past what stands between: around its left.
Route downwards(const Ends& ends) {
  const Point start{ends.a.centre().x, ends.a.bottom() + off_cells};
  const Point end{ends.b.centre().x, ends.b_bounds.y - 1.0F};
  const float left = std::min(start.x, end.x) - 1.0F;
  const Rect straight{left, start.y, std::fabs(end.x - start.x) + 2.0F,
                      std::max(1.0F, end.y - start.y)};
  if (ends.others_in(straight).empty()) return curve_down(ends, start, end);
  // Down past its neighbours first, then over in the gap above the target.
  const float gap = end.y - off_others;
  const Rect over{left, gap - 1.0F, straight.width, 2.0F};
  if (gap > start.y && ends.met_by(upright(start.x, start.y, gap)) + ends.met_by(over) == 0)
    return {false, {start, {start.x, gap}, {end.x, gap}, end}};
  // Below its own line of matrices to a free way down, then over in the gap above the target: the
  // shortest that meets nothing.
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
    return {false, {start, {start.x, below}, {*way, below}, {*way, gap}, {end.x, gap}, end}};
  }
  const Rect around = ends.others_in(straight).united(ends.a_bounds).united(ends.b_bounds);
  const float channel = around.x - off_others;
  return {false,
          {{ends.a_bounds.x - 2.0F, ends.a.centre().y},
           {channel, ends.a.centre().y},
           {channel, ends.b.centre().y},
           {ends.b_bounds.x - 2.0F, ends.b.centre().y}}};
}

/// From the end of one line of the flow to the next: out on the right, back above the line, in from
/// the left.
Route to_the_next_line(const Ends& ends) {
  float top = ends.b_bounds.y;
  float leftmost = ends.b_bounds.x;
  for (const Group& group : ends.stage.groups) {
    if (group.in_figure || group.line != ends.stage.groups[ends.to].line) continue;
    top = std::min(top, group.bounds.y);
    leftmost = std::min(leftmost, group.bounds.x);
  }
  // What goes farther into that line runs beside what goes to its beginning, not on it.
  const float beside = ends.b_bounds.x > leftmost ? 6.0F : 0.0F;
  // Where others stand to the right, down in the gap before them.
  const Rect way_out{ends.a.right() + off_cells, ends.a.centre().y - 1.0F,
                     std::max(1.0F, ends.flow.right() - ends.a.right()), 2.0F};
  const Rect others = ends.others_in(way_out);
  const float outside = others.empty()
                            ? ends.flow.right() + off_cells + beside
                            : std::max(ends.a.right() + off_cells + 1.0F, others.x - off_others);
  const float channel = top - 12.0F + beside;
  const float inside = ends.b_bounds.x - off_others;
  const float start = ends.a.centre().y;
  const float end = ends.b.centre().y;
  return {false,
          {{ends.a.right() + off_cells, start},
           {outside, start},
           {outside, channel},
           {inside, channel},
           {inside, end},
           {ends.b_bounds.x - 2.0F, end}}};
}

/// A bias stands right of its weight, and what they make together leaves from there.
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

bool alone_in_its_line(const Stage& stage, std::size_t group) {
  return std::count_if(stage.groups.begin(), stage.groups.end(), [&](const Group& other) {
           return !other.in_figure && other.line == stage.groups[group].line;
         }) == 1;
}

}  // namespace

Rect cells_of(const Stage& stage, const Group& group) {
  Rect all;
  for (std::size_t i = 0; i < group.block_count; ++i)
    all = all.united(stage.blocks[group.first_block + i].cells);
  return all;
}

std::vector<Route> routes_of(const Stage& stage) {
  std::vector<Route> routes;
  Rect flow;
  for (const Group& group : stage.groups) {
    if (!group.in_figure) flow = flow.united(group.bounds);
  }
  for (const Link& link : stage.links) {
    const Group& from = stage.groups[link.from];
    const Group& to = stage.groups[link.to];
    const std::size_t bias = bias_beside(stage, link.from);
    const Ends ends{stage,
                    link.from,
                    link.to,
                    cells_of(stage, from).united(cells_of(stage, stage.groups[bias])),
                    cells_of(stage, to),
                    from.bounds,
                    to.bounds,
                    bias,
                    flow};
    const bool below = ends.b_bounds.y >= ends.a.bottom() - 1.0F;
    const bool right = ends.b_bounds.x >= ends.a.right() - 1.0F;
    const bool wraps = stage.across && from.line != to.line && below &&
                       ends.b_bounds.x < ends.a.right() &&
                       !(alone_in_its_line(stage, link.from) && alone_in_its_line(stage, link.to));
    Route route;
    if (wraps)
      route = to_the_next_line(ends);
    else if (right && (stage.across || !below))
      route = to_the_right(ends);
    else if (below)
      route = downwards(ends);
    else
      continue;  // neighbours that overlap in both directions need no line
    route.from = link.from;
    route.to = link.to;
    routes.push_back(std::move(route));
  }
  return routes;
}

}  // namespace stage
