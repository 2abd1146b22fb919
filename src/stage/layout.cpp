// Table of contents: 1. the flow as columns and lanes; 2. sizes of cells; 3. one group; 4. columns into a stage; 5. links; 6. fitting.
#include "stage/layout.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "lesson/step.hpp"
#include "stage/matrices.hpp"

namespace stage {

using attention::TensorId;

namespace {

// 1. The flow. --------------------------------------------------------------------------------------

/// Where a tensor stands in the flow. `column` for a step with few tensors, `overview` for the whole way, where neighbours
/// share a column; lanes keep Q above K above V. `beside`: in the same lane, to the right of the one before (a bias).
struct Place {
  TensorId tensor;
  int column;
  int overview;
  int lane;
  bool beside = false;
};

constexpr std::array places{
    Place{TensorId::token_embedding, 0, 0, 0},
    Place{TensorId::position_encoding, 0, 0, 1},
    Place{TensorId::query_input, 1, 0, 2},
    Place{TensorId::key_input, 1, 0, 3},
    Place{TensorId::value_input, 1, 0, 4},
    Place{TensorId::q_proj_weight, 2, 2, 0},
    Place{TensorId::q_proj_bias, 2, 2, 0, true},
    Place{TensorId::k_proj_weight, 2, 2, 1},
    Place{TensorId::k_proj_bias, 2, 2, 1, true},
    Place{TensorId::v_proj_weight, 2, 2, 2},
    Place{TensorId::v_proj_bias, 2, 2, 2, true},
    Place{TensorId::q, 3, 3, 0},
    Place{TensorId::k, 3, 3, 1},
    Place{TensorId::v, 3, 3, 2},
    Place{TensorId::q_split, 4, 4, 0},
    Place{TensorId::k_split, 4, 4, 1},
    Place{TensorId::v_split, 4, 4, 2},
    Place{TensorId::q_heads, 5, 5, 0},
    Place{TensorId::k_heads, 5, 5, 1},
    Place{TensorId::v_heads, 5, 5, 2},
    Place{TensorId::scores, 6, 6, 0},
    Place{TensorId::scaled_scores, 7, 6, 1},
    Place{TensorId::mask, 8, 6, 2},
    Place{TensorId::masked_scores, 9, 6, 3},
    Place{TensorId::attention_weights, 10, 7, 0},
    Place{TensorId::weighted_values, 11, 7, 1},
    Place{TensorId::head_outputs, 12, 7, 2},
    Place{TensorId::merged_split, 13, 8, 0},
    Place{TensorId::merged, 14, 8, 1},
    Place{TensorId::out_proj_weight, 15, 8, 2},
    Place{TensorId::out_proj_bias, 15, 8, 2, true},
    Place{TensorId::output, 16, 8, 3},
};

/// Columns whose lanes are one line of the flow each: they align across columns.
constexpr bool has_lanes(int column) { return column >= 2 && column <= 5; }

/// Where a tensor stands in this step. When values are mixed, they stand under the weights that mix them.
Place place_in(const Place& place, lesson::StepId step) {
  if (step == lesson::StepId::reweight && place.tensor == TensorId::v_heads) return {place.tensor, 10, 7, 1};
  return place;
}

// 2. Sizes, in logical pixels. ------------------------------------------------------------------------

constexpr float cell_width = 46.0F;   // at scale 1
constexpr float cell_height = 32.0F;
constexpr float caption_line = 18.0F;
constexpr float label_line = 16.0F;
constexpr float label_gap = 8.0F;
constexpr float head_bar = 6.0F;
constexpr float block_gap = 10.0F;
constexpr float column_gap = 34.0F;
constexpr float lane_gap = 22.0F;
constexpr float line_gap = 34.0F;
constexpr float beside_gap = 8.0F;
constexpr float longest_label = 92.0F;
constexpr float smallest_labelled_row = 11.0F;
constexpr float smallest_labelled_column = 20.0F;

/// Length of `count` cells: even up to nine, then growing with the logarithm, so that 512 columns stay in the picture.
float extent(std::size_t count, float one, float smallest) {
  const auto n = static_cast<float>(count);
  const float length = n <= 9.0F ? n * one : 9.0F * one * (1.0F + 0.3F * std::log2(n / 9.0F));
  return std::max(length, smallest);
}

// 3. One group: a caption over a grid of blocks. ------------------------------------------------------

/// What is drawn of one tensor, before it has a size. Made once a layout: sizes are then tried many times.
struct Drawing {
  Group group;
  std::vector<Block> blocks;
  Place place;
};

std::vector<Drawing> drawings_of(const document::ComputedAttention& attention, const document::Look& look,
                                 std::span<const TensorId> tensors) {
  std::vector<Drawing> drawings;
  for (const Place& place : places) {
    if (std::find(tensors.begin(), tensors.end(), place.tensor) == tensors.end()) continue;
    if (is_repeated_input(attention.trace, place.tensor)) continue;
    if (place.tensor != TensorId::weighted_values && !attention.trace.has(place.tensor)) continue;
    drawings.push_back({caption_of(attention, place.tensor, look), matrices_of(attention, place.tensor, look),
                        place_in(place, look.step)});
  }
  const bool overview = look.step == lesson::StepId::overview;
  std::stable_sort(drawings.begin(), drawings.end(), [overview](const Drawing& a, const Drawing& b) {
    const int first = overview ? a.place.overview : a.place.column;
    const int second = overview ? b.place.overview : b.place.column;
    return first != second ? first < second : a.place.lane < b.place.lane;
  });
  return drawings;
}

/// The size of a drawing at one scale and how its blocks stand in it.
struct Measured {
  const Drawing* drawing = nullptr;
  std::size_t per_row = 1;
  float block_width = 0.0F;
  float block_height = 0.0F;
  bool row_labels = false;
  bool column_labels = false;
  float labels = 0.0F;   // width of the row labels
  float caption = 0.0F;  // height of the caption
  bool note = false;     // the caption has room for it
  float above = 0.0F;    // over each block: a bar in the head's hue and the columns' labels
  float width = 0.0F;
  float height = 0.0F;
};

std::size_t blocks_per_row(TensorId tensor, std::size_t count, std::size_t rows, bool detailed) {
  const bool split = tensor == TensorId::q_split || tensor == TensorId::k_split || tensor == TensorId::v_split ||
                     tensor == TensorId::merged_split;
  if (split) return count;  // one row of numbers, cut; its tokens stay lined up
  const bool heads = tensor == TensorId::q_heads || tensor == TensorId::k_heads || tensor == TensorId::v_heads;
  if (heads && detailed && count * rows <= 12) return 1;  // a table of its own for each head
  if (count <= 4) return count;
  return std::min<std::size_t>(4, (count + 1) / 2);
}

Measured measure(const Drawing& drawing, float scale, bool detailed, bool notes) {
  Measured m;
  m.drawing = &drawing;
  m.note = detailed && notes;
  const std::size_t count = drawing.blocks.size();
  m.per_row = blocks_per_row(drawing.group.tensor, count, drawing.blocks.front().rows(), detailed);
  // Many heads side by side get narrower cells, but not much lower ones.
  const float crowd = std::min(1.0F, 3.0F / static_cast<float>(m.per_row));
  m.caption = caption_line * (detailed ? 2.0F : 1.0F) + 4.0F;

  const Block& first = drawing.blocks.front();
  // Rows of very many columns are stripes: higher, so that they can be told apart and pointed at.
  const float stripes = first.columns() > 16 && first.rows() <= 64 ? 1.5F : 1.0F;
  const float row_height = (detailed ? cell_height : cell_width) * stripes;
  m.block_width = extent(first.columns(), cell_width * scale * crowd, 6.0F);
  m.block_height = extent(first.rows(), row_height * scale * std::sqrt(crowd), 6.0F);
  m.row_labels = !first.row_labels.empty() &&
                 m.block_height / static_cast<float>(first.rows()) >= smallest_labelled_row;
  m.column_labels = !first.column_labels.empty() &&
                    m.block_width / static_cast<float>(first.columns()) >= smallest_labelled_column;
  if (m.row_labels) {
    for (const std::string& label : first.row_labels) m.labels = std::max(m.labels, label_width(label));
    m.labels = std::min(m.labels, longest_label) + label_gap;
  }
  m.above = head_bar + (m.column_labels ? label_line : 0.0F);

  const auto across = static_cast<float>(m.per_row);
  const auto down = static_cast<float>((count + m.per_row - 1) / m.per_row);
  const float grid_width = across * m.block_width + (across - 1.0F) * block_gap;
  const float grid_height = down * (m.above + m.block_height) + (down - 1.0F) * block_gap;
  float caption_width = label_width(drawing.group.title) * 1.12F;
  if (detailed) {
    const float note = !notes || drawing.group.note.empty() ? 0.0F : label_width(drawing.group.note) + 12.0F;
    caption_width = std::max(caption_width, label_width(drawing.group.shape) * 1.05F + note);
  }
  m.width = m.labels + std::max(grid_width, caption_width);
  m.height = m.caption + grid_height;
  return m;
}

/// Puts a measured drawing's group and blocks on the stage with its corner at (x, y).
void put(Stage& stage, const Measured& m, float x, float y) {
  Group group = m.drawing->group;
  if (!m.note) group.note.clear();
  group.first_block = stage.blocks.size();
  group.block_count = m.drawing->blocks.size();
  group.caption = {x + m.labels, y, m.width - m.labels, m.caption};
  group.bounds = {x, y, m.width, m.height};
  for (std::size_t i = 0; i < m.drawing->blocks.size(); ++i) {
    Block block = m.drawing->blocks[i];
    const auto column = static_cast<float>(i % m.per_row);
    const auto row = static_cast<float>(i / m.per_row);
    block.cells = {x + m.labels + column * (m.block_width + block_gap),
                   y + m.caption + m.above + row * (m.block_height + m.above + block_gap), m.block_width,
                   m.block_height};
    block.show_row_labels = m.row_labels && i % m.per_row == 0;
    if (!m.column_labels) block.column_labels.clear();
    block.group = stage.groups.size();
    stage.blocks.push_back(std::move(block));
  }
  stage.bounds = stage.bounds.united(group.bounds);
  stage.groups.push_back(std::move(group));
}

// 4. Columns into a stage. ------------------------------------------------------------------------------

struct Slot {  // what stands in one lane of one column: a weight with its bias, or one group
  int lane = 0;
  std::vector<Measured> parts;
  float width = 0.0F;
  float height = 0.0F;
};

struct Column {
  int number = 0;
  bool lanes = false;
  std::vector<Slot> slots;
  float thickness = 0.0F;  // along the flow
  float length = 0.0F;     // across it
};

/// How columns become a picture.
struct Arrangement {
  bool across = true;     ///< columns stand side by side, slots in them one under the other; false: the other way round
  std::size_t lines = 1;  ///< the flow is broken into so many lines, as text is
};

struct Placed {
  Measured part;
  float x = 0.0F;
  float y = 0.0F;
  std::size_t line = 0;
};

struct Plan {
  std::vector<Placed> parts;
  float width = 0.0F;
  float height = 0.0F;
};

/// `drawings` come sorted by column and lane.
std::vector<Column> columns_of(const std::vector<Drawing>& drawings, float scale, bool overview, bool notes) {
  std::vector<Column> columns;
  for (const Drawing& drawing : drawings) {
    const Place& place = drawing.place;
    const int number = overview ? place.overview : place.column;
    if (columns.empty() || columns.back().number != number) {
      columns.push_back({number, has_lanes(place.column), {}});
    }
    std::vector<Slot>& slots = columns.back().slots;
    Measured part = measure(drawing, scale, !overview, notes);
    if (place.beside && !slots.empty() && slots.back().lane == place.lane) {
      // Its rows stand beside the rows they belong to.
      const float lower = slots.back().parts.front().above - part.above;
      part.above += lower;
      part.height += lower;
      slots.back().width += beside_gap + part.width;
      slots.back().height = std::max(slots.back().height, part.height);
      slots.back().parts.push_back(part);
      continue;
    }
    slots.push_back({place.lane, {part}, part.width, part.height});
  }
  return columns;
}

/// Places one line of columns. Lanes that align get the room of their largest member.
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
      float x = across ? position : centred;
      const float y = across ? centred : position;
      for (const Measured& part : slot.parts) {
        plan.parts.push_back({part, x, y, 0});
        x += part.width + beside_gap;
      }
      offset += room + lane_gap;
    }
    position += column.thickness + gap;
  }
  plan.width = across ? position - gap : longest;
  plan.height = across ? longest : position - gap;
  return plan;
}

/// Breaks the columns into lines of about equal length and puts the lines under (or beside) one another, centred.
Plan plan_of(std::vector<Column> columns, Arrangement arrangement) {
  const bool across = arrangement.across;
  float total = 0.0F;
  for (Column& column : columns) {
    column.thickness = 0.0F;
    for (const Slot& slot : column.slots) column.thickness = std::max(column.thickness, across ? slot.width : slot.height);
    total += column.thickness + column_gap;
  }
  std::vector<Plan> lines;
  std::size_t first = 0;
  float done = 0.0F;
  float length = 0.0F;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    length += columns[i].thickness + column_gap;
    const float share = total * static_cast<float>(lines.size() + 1) / static_cast<float>(arrangement.lines);
    // A line ends with the column that reaches its share, or before it, whichever is nearer.
    const float next = i + 1 < columns.size() ? columns[i + 1].thickness + column_gap : 0.0F;
    const bool last = i + 1 == columns.size();
    if (!last && (lines.size() + 1 == arrangement.lines || done + length + next / 2.0F < share)) continue;
    lines.push_back(line_of(std::span(columns).subspan(first, i + 1 - first), across));
    first = i + 1;
    done += length;
    length = 0.0F;
  }
  Plan whole;
  for (const Plan& line : lines) {
    whole.width = across ? std::max(whole.width, line.width) : whole.width + line.width + column_gap;
    whole.height = across ? whole.height + line.height + line_gap : std::max(whole.height, line.height);
  }
  if (across) whole.height -= line_gap;
  else whole.width -= column_gap;
  float position = 0.0F;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Plan& line = lines[i];
    const float dx = across ? (whole.width - line.width) / 2.0F : position;
    const float dy = across ? position : (whole.height - line.height) / 2.0F;
    for (const Placed& placed : line.parts) whole.parts.push_back({placed.part, placed.x + dx, placed.y + dy, i});
    position += across ? line.height + line_gap : line.width + column_gap;
  }
  return whole;
}

// 5. Links. -----------------------------------------------------------------------------------------------

struct Flow {
  TensorId from;
  TensorId to;
  /// Set for a shortcut: it is drawn where none of what lies between is on the stage.
  std::optional<TensorId> past = std::nullopt;
};

constexpr std::array flows{
    Flow{TensorId::token_embedding, TensorId::query_input},
    Flow{TensorId::position_encoding, TensorId::query_input},
    Flow{TensorId::query_input, TensorId::q_proj_weight},
    Flow{TensorId::key_input, TensorId::k_proj_weight},
    Flow{TensorId::value_input, TensorId::v_proj_weight},
    Flow{TensorId::query_input, TensorId::q, TensorId::q_proj_weight},
    Flow{TensorId::key_input, TensorId::k, TensorId::k_proj_weight},
    Flow{TensorId::value_input, TensorId::v, TensorId::v_proj_weight},
    Flow{TensorId::q_proj_weight, TensorId::q},
    Flow{TensorId::k_proj_weight, TensorId::k},
    Flow{TensorId::v_proj_weight, TensorId::v},
    Flow{TensorId::q, TensorId::q_split},
    Flow{TensorId::k, TensorId::k_split},
    Flow{TensorId::v, TensorId::v_split},
    Flow{TensorId::q_split, TensorId::q_heads},
    Flow{TensorId::k_split, TensorId::k_heads},
    Flow{TensorId::v_split, TensorId::v_heads},
    Flow{TensorId::q_heads, TensorId::scores},
    Flow{TensorId::k_heads, TensorId::scores},
    Flow{TensorId::scores, TensorId::scaled_scores},
    Flow{TensorId::scaled_scores, TensorId::masked_scores},
    Flow{TensorId::mask, TensorId::masked_scores},
    Flow{TensorId::masked_scores, TensorId::attention_weights},
    Flow{TensorId::attention_weights, TensorId::weighted_values},
    Flow{TensorId::v_heads, TensorId::weighted_values},
    Flow{TensorId::attention_weights, TensorId::head_outputs, TensorId::weighted_values},
    Flow{TensorId::weighted_values, TensorId::head_outputs},
    Flow{TensorId::head_outputs, TensorId::merged_split},
    Flow{TensorId::head_outputs, TensorId::merged, TensorId::merged_split},
    Flow{TensorId::merged_split, TensorId::merged},
    Flow{TensorId::merged, TensorId::out_proj_weight},
    Flow{TensorId::merged, TensorId::output, TensorId::out_proj_weight},
    Flow{TensorId::out_proj_weight, TensorId::output},
};

std::optional<std::size_t> group_of(const Stage& stage, const attention::Trace& trace, TensorId tensor) {
  if (is_repeated_input(trace, tensor)) tensor = *trace.view_of(tensor);
  for (std::size_t i = 0; i < stage.groups.size(); ++i) {
    if (stage.groups[i].tensor == tensor) return i;
  }
  return std::nullopt;
}

void link(Stage& stage, const attention::Trace& trace) {
  for (const Flow& flow : flows) {
    const auto from = group_of(stage, trace, flow.from);
    const auto to = group_of(stage, trace, flow.to);
    if (!from || !to || (flow.past && group_of(stage, trace, *flow.past))) continue;
    stage.links.push_back({*from, *to});
  }
}

}  // namespace

// 6. Fitting. -----------------------------------------------------------------------------------------------

float label_width(std::string_view text) {
  // About 6.6 px a letter at 12 px type; letters outside ASCII come as several bytes but are set about as wide as one and a half.
  float width = 0.0F;
  for (const char byte : text) {
    const auto code = static_cast<unsigned char>(byte);
    if (code < 0x80) width += 6.7F;
    else if (code >= 0xC0) width += 10.0F;
  }
  return width;
}

Stage lay_out(const document::ComputedAttention& attention, const document::Look& look, Space space) {
  const lesson::Step& step = lesson::step(look.step);
  const bool overview = look.step == lesson::StepId::overview;
  constexpr float smallest = 0.06F;
  constexpr float largest = 1.4F;
  // A canvas can be smaller than its margins. The matrices are laid out all the same: whoever draws counts on them.
  space = {std::max(1.0F, space.width), std::max(1.0F, space.height)};

  const std::vector<Drawing> drawings = drawings_of(attention, look, step.tensors);
  const bool notes = space.width >= 700.0F;
  const auto at_scale = [&](float scale, Arrangement arrangement) {
    return plan_of(columns_of(drawings, scale, overview, notes), arrangement);
  };
  const auto fits = [&](const Plan& plan) { return plan.width <= space.width && plan.height <= space.height; };

  Plan best;
  Arrangement chosen;
  float best_scale = 0.0F;
  for (const bool across : {true, false}) {
    for (std::size_t lines = 1; lines <= 3; ++lines) {
      const Arrangement arrangement{across, lines};
      float low = smallest;
      float high = largest;
      // Ten halvings bring the scale to within a thousandth.
      for (int i = 0; i < 10; ++i) {
        const float middle = (low + high) / 2.0F;
        (fits(at_scale(middle, arrangement)) ? low : high) = middle;
      }
      Plan candidate = at_scale(low, arrangement);
      // What does not fit even so counts by how much the camera must shrink it.
      const float shrink = std::min({1.0F, space.width / std::max(1.0F, candidate.width),
                                     space.height / std::max(1.0F, candidate.height)});
      // A simpler arrangement is left only for one that is clearly larger.
      const float better = lines == 1 ? 1.05F : 1.2F;
      if (low * shrink > best_scale * better) {
        best_scale = low * shrink;
        best = std::move(candidate);
        chosen = arrangement;
      }
    }
  }
  Stage stage;
  stage.detailed = !overview;
  stage.across = chosen.across;
  for (const Placed& placed : best.parts) {
    put(stage, placed.part, placed.x, placed.y);
    stage.groups.back().line = placed.line;
  }
  link(stage, attention.trace);
  return stage;
}

}  // namespace stage
