#include "stage/layout/layout.hpp"

#include <algorithm>
#include <array>
#include <cfloat>

#include "lesson/steps/step.hpp"
#include "stage/layout/folds.hpp"
#include "stage/scene/drawing.hpp"

namespace stage {

namespace {

// Gaps between neighbours, in logical pixels.
constexpr float column_gap = 32.0F;
constexpr float lane_gap = 22.0F;
constexpr float line_gap = 34.0F;
constexpr float beside_gap = 8.0F;
constexpr float below_gap = 8.0F;
constexpr int last_on_map = 14;  // the column of the output

/// What the layout has to fit, and where.
struct Task {
  std::vector<Outline> outlines;
  bool overview = false;
  Space space;
  bool upright = false;  ///< key labels stand upright over their columns
  bool once = false;     ///< of matrices in a line, only the first has its tokens beside its rows

  /// Whether the space is about as narrow as a phone.
  bool narrow() const { return space.width < 480.0F; }
  /// Whether notes such as "view of q" fit beside the shapes.
  bool notes() const { return space.width >= 700.0F; }
};

struct Part {
  std::size_t drawing = 0;  // index of its drawing
  Measured size;
  float x = 0.0F;  // in its slot
  float y = 0.0F;
};

/// One lane of one column: a weight with its bias, the weights of a norm above what it makes, or
/// one group.
struct Slot {
  int lane = 0;
  std::vector<Part> parts;
  float width = 0.0F;
  float height = 0.0F;
};

struct Column {
  int number = 0;
  bool lanes = false;
  std::vector<Slot> slots;
  float thickness = 0.0F;  // in the direction of the flow
  float length = 0.0F;     // at right angles to it
};

/// How the columns are arranged.
struct Arrangement {
  bool across = true;     ///< columns stand side by side; false: one below the other
  std::size_t lines = 1;  ///< lines that the flow breaks into, as text does
};

struct Placed {
  Part part;
  float x = 0.0F;
  float y = 0.0F;
  std::size_t line = 0;
};

struct Plan {
  std::vector<Placed> parts;
  float width = 0.0F;
  float height = 0.0F;
};

/// An arrangement and the sizes that it is drawn in.
struct Fit {
  Arrangement arrangement;
  float scale = 0.0F;
  float stretch = 1.0F;
};

/// Groups the outlines by column and lane, by which they are sorted already.
std::vector<Column> columns_of(const Task& task, const Fit& fit) {
  const std::vector<Outline>& outlines = task.outlines;
  std::vector<Column> columns;
  for (std::size_t i = 0; i < outlines.size(); ++i) {
    const Place& place = outlines[i].place;
    const int number = task.overview ? place.overview : place.column;
    if (columns.empty() || columns.back().number != number) {
      columns.push_back({number, has_lanes(place.column), {}});
    }
    std::vector<Slot>& slots = columns.back().slots;
    Measured size =
        measure(outlines[i], fit.scale, !task.overview, task.notes(), fit.stretch, task.upright);
    if (place.beside && !slots.empty() && slots.back().lane == place.lane) {
      // A bias must line up with its weight's rows, which may begin lower.
      const Measured& first = slots.back().parts.front().size;
      const float lower = first.upright + first.above - size.upright - size.above;
      size.above += lower;
      size.height += lower;
      const float x = slots.back().width + beside_gap;
      slots.back().width = x + size.width;
      slots.back().height = std::max(slots.back().height, size.height);
      slots.back().parts.push_back({i, size, x});
      continue;
    }
    if (!slots.empty() && slots.back().lane == place.lane) {
      // Their columns line up, whichever has labels beside its rows.
      Slot& slot = slots.back();
      Part& over = slot.parts.back();
      over.size.block_width = size.block_width;  // the cells of several heads are narrower
      const float shift = size.labels - over.size.labels;
      const float x = std::max(0.0F, -shift);
      const float y = slot.height + below_gap;
      over.x += std::max(0.0F, shift);
      slot.width = std::max(over.x + over.size.width, x + size.width);
      slot.height = y + size.height;
      slot.parts.push_back({i, size, x, y});
      continue;
    }
    slots.push_back({place.lane, {{i, size}}, size.width, size.height});
  }
  return columns;
}

/// Whether the rows of two matrices stand for the same tokens and line up with each other.
bool rows_in_line(const Outline& a, const Measured& of_a, const Outline& b, const Measured& of_b) {
  const bool one_row_of_blocks = of_a.per_row == a.blocks && of_b.per_row == b.blocks;
  return one_row_of_blocks && a.rows_are_queries == b.rows_are_queries && a.rows == b.rows &&
         a.row_labels == b.row_labels && of_a.above == of_b.above && of_a.upright == of_b.upright &&
         of_a.block_height == of_b.block_height && of_a.height == of_b.height;
}

/// Saves width: where rows line up, only the first matrix of a line keeps its tokens.
void name_tokens_once(std::span<Column> line, const std::vector<Outline>& outlines) {
  const auto alone = [](const Column& column) {
    return column.slots.size() == 1 && column.slots.front().parts.size() == 1;
  };
  if (!alone(line.front())) return;
  const Part& first = line.front().slots.front().parts.front();
  if (!first.size.row_labels) return;
  for (Column& column : line.subspan(1)) {
    if (!alone(column)) continue;
    Slot& slot = column.slots.front();
    Part& part = slot.parts.front();
    if (!rows_in_line(outlines[first.drawing], first.size, outlines[part.drawing], part.size))
      continue;
    part.size = without_row_labels(part.size);
    slot.width = part.size.width;
  }
}

/// Places one line of columns. Aligned lanes get the room that the largest of them needs.
Plan line_of(std::span<Column> columns, bool across) {
  const auto along = [across](const Slot& slot) { return across ? slot.width : slot.height; };
  const auto beyond = [across](const Slot& slot) { return across ? slot.height : slot.width; };
  std::array<float, 3> lane_size{};
  for (const Column& column : columns) {
    if (!column.lanes) continue;
    for (const Slot& slot : column.slots) {
      const auto lane = static_cast<std::size_t>(slot.lane);
      lane_size[lane] = std::max(lane_size[lane], beyond(slot));
    }
  }
  const auto room_of = [&](const Column& column, const Slot& slot) {
    return column.lanes ? lane_size[static_cast<std::size_t>(slot.lane)] : beyond(slot);
  };
  float longest = 0.0F;
  for (Column& column : columns) {
    column.length = -lane_gap;
    column.thickness = 0.0F;
    for (const Slot& slot : column.slots) {
      column.length += room_of(column, slot) + lane_gap;
      column.thickness = std::max(column.thickness, along(slot));
    }
    longest = std::max(longest, column.length);
  }
  Plan plan;
  const float gap = across ? column_gap : lane_gap;
  float position = 0.0F;
  for (const Column& column : columns) {
    float offset = (longest - column.length) / 2.0F;
    for (const Slot& slot : column.slots) {
      const float room = room_of(column, slot);
      const float centred = offset + (room - beyond(slot)) / 2.0F;
      const float x = across ? position : centred;
      const float y = across ? centred : position;
      for (const Part& part : slot.parts) plan.parts.push_back({part, x + part.x, y + part.y, 0});
      offset += room + lane_gap;
    }
    position += column.thickness + gap;
  }
  plan.width = across ? position - gap : longest;
  plan.height = across ? longest : position - gap;
  return plan;
}

/// Breaks the columns into lines of about equal length and puts these below (or beside) each other,
/// centred.
Plan plan_of(std::vector<Column> columns, Arrangement arrangement, const Task& task) {
  const bool across = arrangement.across;
  float total = 0.0F;
  for (Column& column : columns) {
    column.thickness = 0.0F;
    for (const Slot& slot : column.slots)
      column.thickness = std::max(column.thickness, across ? slot.width : slot.height);
    total += column.thickness + column_gap;
  }
  std::vector<Plan> lines;
  std::size_t first = 0;
  float done = 0.0F;
  float length = 0.0F;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    length += columns[i].thickness + column_gap;
    const float share =
        total * static_cast<float>(lines.size() + 1) / static_cast<float>(arrangement.lines);
    // A line ends at the column break that is nearest to its share of the length.
    const float next = i + 1 < columns.size() ? columns[i + 1].thickness + column_gap : 0.0F;
    const bool last = i + 1 == columns.size();
    if (!last && (lines.size() + 1 == arrangement.lines || done + length + next / 2.0F < share))
      continue;
    const std::span<Column> line = std::span(columns).subspan(first, i + 1 - first);
    if (across && (task.narrow() || task.once)) name_tokens_once(line, task.outlines);
    lines.push_back(line_of(line, across));
    first = i + 1;
    done += length;
    length = 0.0F;
  }
  Plan whole;
  for (const Plan& line : lines) {
    whole.width =
        across ? std::max(whole.width, line.width) : whole.width + line.width + column_gap;
    whole.height =
        across ? whole.height + line.height + line_gap : std::max(whole.height, line.height);
  }
  if (across)
    whole.height -= line_gap;
  else
    whole.width -= column_gap;
  float position = 0.0F;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Plan& line = lines[i];
    const float dx = across ? (whole.width - line.width) / 2.0F : position;
    const float dy = across ? position : (whole.height - line.height) / 2.0F;
    for (const Placed& placed : line.parts)
      whole.parts.push_back({placed.part, placed.x + dx, placed.y + dy, i});
    position += across ? line.height + line_gap : line.width + column_gap;
  }
  return whole;
}

Plan plan_at(const Fit& fit, const Task& task) {
  return plan_of(columns_of(task, fit), fit.arrangement, task);
}

bool has_room(const Fit& fit, const Task& task) {
  const Plan plan = plan_at(fit, task);
  return plan.width <= task.space.width && plan.height <= task.space.height;
}

Fit best_fit(const Task& task) {
  constexpr float next_to_nothing = 0.06F;
  // The map is there for its shape first, so its cells may be smaller.
  const float smallest = task.overview ? next_to_nothing / 2.0F : next_to_nothing;
  constexpr std::size_t most_lines = 4;
  const Space space = task.space;
  // Cells of 96 px, or more on a screen with more room.
  const float largest = 2.08F * std::max(1.0F, space.height / 450.0F);
  const auto room_for = [&](const Fit& fit) { return has_room(fit, task); };

  Fit best{{}, smallest};
  float best_scale = 0.0F;
  // The map runs along the longer side of the space. The other direction is tried only if its cells
  // would otherwise be next to nothing.
  const bool first_way = !task.overview || space.width >= space.height;
  for (const bool across : {first_way, !first_way}) {
    if (task.overview && across != first_way && best.scale >= next_to_nothing && room_for(best))
      continue;
    // Against the longer side the map stays in one line: a link from the end of one line to the
    // beginning of the next would cross others.
    const std::size_t most = task.overview && across != first_way ? 1 : most_lines;
    for (std::size_t lines = 1; lines <= most; ++lines) {
      const Arrangement arrangement{across, lines};
      // More lines must make the drawing clearly larger to be worth it. Where an arrangement does
      // not fit even at the size that it has to beat, the search is skipped.
      const float enough = best_scale * (lines == 1 ? 1.05F : 1.2F);
      if (enough > smallest && !room_for({arrangement, enough})) continue;
      float low = smallest;
      float high = largest;
      // Ten halvings find the scale to within a thousandth of its range.
      for (int i = 0; i < 10; ++i) {
        const float middle = (low + high) / 2.0F;
        (room_for({arrangement, middle}) ? low : high) = middle;
      }
      const Plan candidate = plan_at({arrangement, low}, task);
      // What does not fit at the smallest scale is compared by the size that the camera shrinks it
      // to.
      const float shrink = std::min({1.0F, space.width / std::max(1.0F, candidate.width),
                                     space.height / std::max(1.0F, candidate.height)});
      if (low * shrink > enough) {
        best_scale = low * shrink;
        best = {arrangement, low};
      }
    }
  }
  // Where the width stopped the growth, higher rows use the height that is left.
  constexpr float most_stretch = 3.0F;
  for (float high = most_stretch; high - best.stretch > 0.02F;) {
    const float middle = (best.stretch + high) / 2.0F;
    (room_for({best.arrangement, best.scale, middle}) ? best.stretch : high) = middle;
  }
  return best;
}

/// The size of the narrowest and of the lowest cells.
Point least_cells(const Fit& fit, const Task& task) {
  Point least{FLT_MAX, FLT_MAX};
  for (const Outline& outline : task.outlines) {
    const Measured size =
        measure(outline, fit.scale, true, task.notes(), fit.stretch, task.upright);
    least.x = std::min(least.x, size.block_width / static_cast<float>(outline.columns));
    least.y = std::min(least.y, size.block_height / static_cast<float>(outline.rows));
  }
  return least;
}

bool all_have_digits(const Fit& fit, const Task& task) {
  const Point least = least_cells(fit, task);
  return least.x >= least_numbered_width && least.y >= least_numbered_height;
}

/// Where cells are a little too narrow for digits, they may be wider than high, or tokens may be
/// named once in a line.
void make_room_for_digits(Fit& fit, Task& task) {
  constexpr float too_narrow = 0.6F;  // as a share of the width that digits need
  const float width = least_cells(fit, task).x;
  const float wanted = least_numbered_width * 1.005F / width;
  if (wanted <= 1.005F || wanted > 1.0F / too_narrow) return;
  const Fit wider{fit.arrangement, fit.scale * wanted, fit.stretch / wanted};
  if (all_have_digits(wider, task) && has_room(wider, task)) {
    fit = wider;
    return;
  }
  Task once = task;
  once.once = true;
  const Fit other = best_fit(once);
  if (!all_have_digits(other, once)) return;
  fit = other;
  task = std::move(once);
}

}  // namespace

Stage lay_out(const document::ComputedAttention& attention, const document::ViewState& view_state,
              Space space) {
  const lesson::Step& step = lesson::step(view_state.step);
  const bool overview = view_state.step == lesson::StepId::overview;
  // A canvas can be smaller than its margins. The matrices are laid out anyway, because the
  // drawing code expects them.
  space = {std::max(1.0F, space.width), std::max(1.0F, space.height)};

  // The three projections work alike, so the chosen one stands for the others and gets their room.
  using lesson::StepId;
  const bool travels = view_state.step == StepId::split || view_state.step == StepId::transpose;
  const bool one_projection = travels || view_state.step == StepId::project;
  const std::vector<Drawing> drawings =
      drawings_of(attention, view_state, lesson::shown_in(step, attention.trace), one_projection);
  // The frame around an open fold reaches beyond its groups.
  const bool open = overview && view_state.map != document::MapOpen::none;
  const float beside = open ? around_open : 0.0F;
  const float over = open ? over_open : 0.0F;
  space = {std::max(1.0F, space.width - 2.0F * beside), std::max(1.0F, space.height - 2.0F * over)};
  Task task{{}, overview, space};
  task.outlines.reserve(drawings.size());
  for (const Drawing& drawing : drawings) task.outlines.push_back(drawing.outline);
  Fit fit = best_fit(task);
  if (overview && is_closed(Fold::scale, view_state)) {
    // Try the output below the column before it, which may leave room for larger cells.
    Task high = task;
    for (Outline& outline : high.outlines) {
      if (outline.place.overview == last_on_map) --outline.place.overview;
    }
    const Fit other = best_fit(high);
    if (other.scale > fit.scale) {
      task = std::move(high);
      fit = other;
    }
  }
  if (overview) {
    // Show tokens beside all rows if that costs the cells hardly any size.
    Task named = task;
    for (Outline& outline : named.outlines) outline.named = true;
    const Fit other = best_fit(named);
    constexpr float next_to_nothing = 0.06F;
    if (other.scale >= std::max(next_to_nothing, 0.95F * fit.scale)) {
      task = std::move(named);
      fit = other;
    }
  }
  // Where columns are narrower than their labels, the labels may stand upright if there is height.
  constexpr float least_height = 240.0F;
  const bool lacks_labels =
      std::any_of(task.outlines.begin(), task.outlines.end(), [&](const Outline& outline) {
        return lacks_upright_labels(outline, measure(outline, fit.scale, true, task.notes()));
      });
  if (!overview && space.height >= least_height && lacks_labels) {
    task.upright = true;
    const Fit upright = best_fit(task);
    // Weights say nothing without their keys; other labels are not worth much smaller cells.
    const bool weights = std::any_of(drawings.begin(), drawings.end(), [](const Drawing& drawing) {
      return drawing.blocks.front().colouring == Colouring::weights;
    });
    task.upright = weights || upright.scale >= 0.75F * fit.scale;
    if (task.upright) fit = upright;
  }
  if (!overview && !task.outlines.empty()) make_room_for_digits(fit, task);
  Stage stage;
  stage.detailed = !overview;
  stage.detail = overview ? 0.0F : 1.0F;
  stage.across = fit.arrangement.across;
  for (const Placed& placed : plan_at(fit, task).parts) {
    put(stage, drawings[placed.part.drawing], placed.part.size, placed.x, placed.y);
    stage.groups.back().line = placed.line;
  }
  link_groups(stage, attention.trace);
  if (overview) put_cards(stage, attention.trace, view_state);
  stage.bounds = {stage.bounds.x - beside, stage.bounds.y - over,
                  stage.bounds.width + 2.0F * beside, stage.bounds.height + 2.0F * over};
  return stage;
}

}  // namespace stage
