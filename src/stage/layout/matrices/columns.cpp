#include "stage/layout/matrices/columns.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

namespace stage {

namespace {

// Gaps between neighbours, in logical pixels.
constexpr float wide_gap = 32.0F;
constexpr float gap_on_map = 28.0F;  // more columns, so the cells need the room
constexpr float lane_gap = 22.0F;
constexpr float line_gap = 34.0F;
constexpr float beside_gap = 8.0F;
constexpr float below_gap = 8.0F;

float gap_between_columns(const Task& task) { return task.overview ? gap_on_map : wide_gap; }

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

/// Matrices side by side whose rows are the same tokens begin at one height, whichever of them has
/// upright labels.
void line_up_under_labels(std::vector<Column>& columns, const std::vector<Outline>& outlines) {
  /// Of a column that is one matrix with one row of blocks; else null.
  const auto part_of = [&](Column& column) -> Part* {
    if (column.slots.size() != 1 || column.slots.front().parts.size() != 1) return nullptr;
    Part& part = column.slots.front().parts.front();
    return part.size.per_row == outlines[part.drawing].blocks ? &part : nullptr;
  };
  const auto over_rows = [](const Part& part) { return part.size.upright + part.size.above; };
  for (std::size_t first = 0; first < columns.size();) {
    std::vector<std::pair<Column*, Part*>> run;
    float highest = 0.0F;
    std::size_t next = first;
    for (; next < columns.size(); ++next) {
      Part* part = part_of(columns[next]);
      const bool same =
          part != nullptr &&
          (run.empty() || outlines[part->drawing].rows == outlines[run[0].second->drawing].rows);
      if (!same) break;
      run.emplace_back(&columns[next], part);
      highest = std::max(highest, over_rows(*part));
    }
    for (const auto& [column, part] : run) {
      const float lower = highest - over_rows(*part);
      part->size.above += lower;
      part->size.height += lower;
      column->slots.front().height += lower;
    }
    first = std::max(next, first + 1);
  }
}

/// Matrices below each other begin at one place, whichever has longer words beside its rows.
void line_up_beside_words(Column& column) {
  float longest = 0.0F;
  for (const Slot& slot : column.slots) longest = std::max(longest, slot.parts.front().size.labels);
  for (Slot& slot : column.slots) {
    const float words = slot.parts.front().size.labels;
    if (words <= 0.0F || slot.parts.size() > 1) continue;
    slot.parts.front().x += longest - words;
    slot.width += longest - words;
  }
}

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
  if (fit.arrangement.across) std::for_each(columns.begin(), columns.end(), line_up_beside_words);
  if (task.upright && fit.arrangement.across) line_up_under_labels(columns, outlines);
  return columns;
}

/// Whether the rows of two matrices stand for the same tokens and line up with each other.
bool rows_in_line(const Outline& a, const Measured& of_a, const Outline& b, const Measured& of_b) {
  const bool one_row_of_blocks = of_a.per_row == a.blocks && of_b.per_row == b.blocks;
  // Sums of the same heights in another order.
  const auto same = [](float x, float y) { return std::fabs(x - y) < 0.01F; };
  return one_row_of_blocks && a.rows_are_queries == b.rows_are_queries && a.rows == b.rows &&
         a.row_labels == b.row_labels &&
         same(of_a.above + of_a.upright, of_b.above + of_b.upright) &&
         of_a.block_height == of_b.block_height && same(of_a.height, of_b.height);
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
Plan line_of(std::span<Column> columns, bool across, float column_gap) {
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
  const float column_gap = gap_between_columns(task);
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
    lines.push_back(line_of(line, across, column_gap));
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

}  // namespace

Plan plan_at(const Fit& fit, const Task& task) {
  return plan_of(columns_of(task, fit), fit.arrangement, task);
}

}  // namespace stage
