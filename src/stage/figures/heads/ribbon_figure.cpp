#include "stage/figures/step_figures.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "stage/figures/heads/memory_jumps.hpp"
#include "stage/focus/step_cell.hpp"
#include "stage/layout/lettering.hpp"
#include "stage/scene/drawing.hpp"

namespace stage {

using model::TensorId;
using model::Trace;
using tensor::Index;
using tensor::Tensor;

namespace {

constexpr float line_height = 18.0F;
constexpr float over_run = caption_height + 4.0F;
constexpr float under_run = 26.0F;  // the bars in the heads' hues, and the indices

struct Followed {
  TensorId owner;  ///< the tensor that owns the memory
  TensorId before;
  TensorId after;
};

Followed followed_in(const Trace& trace, const document::ViewState& view_state) {
  Way way = way_of(trace, view_state);
  // What has been normalised has left the memory that is read.
  while (way.from.size() > 1 && !trace[way.from[0]].shares_storage_with(trace[way.from[1]]))
    way.from.erase(way.from.begin());
  const TensorId before = way.from.front();
  // In merge, follow the view that the copy reads.
  const TensorId after = way.from.size() > 1 ? way.from[1] : way.to;
  // q_split has no memory of its own: it is a view of q.
  const bool is_split = trace.axes_of(before).has(model::Axis::D) &&
                        trace.made_by(before)->operation == &ops::reshape;
  return {is_split ? trace.made_by(before)->of[0] : before, before, after};
}

/// Where a cell lies in this memory, or the cell that it is a copy of.
std::optional<std::size_t> place_in(const Trace& trace, const Tensor& memory,
                                    const document::CellRef& cell) {
  if (!trace.has(cell.tensor)) return std::nullopt;
  if (trace[cell.tensor].shares_storage_with(memory))
    return trace[cell.tensor].position(cell.index);
  const model::Explanation made = model::explain(trace, cell.tensor, cell.index);
  if (made.rule != model::Rule::copied) return std::nullopt;
  const model::Cell& source = made.terms.front().a;
  return place_in(trace, memory, {source.tensor, source.index});
}

/// The float to mark: the cell's that has the focus, if it lies in this memory or is copied from
/// it, otherwise that of the step's own cell.
std::size_t marked_float(const FigureInput& input, TensorId owner) {
  const Trace& trace = input.attention.trace;
  const Tensor& memory = trace[owner];
  const document::CellRef own = step_cell(input.attention, input.view_state);
  for (const document::CellRef& cell : {input.view_state.cell.value_or(own), own}) {
    if (const auto place = place_in(trace, memory, cell)) return *place;
  }
  return memory.offset();
}

/// The head that the float at `position` of this memory belongs to.
std::size_t head_of(const Trace& trace, TensorId owner, std::size_t position) {
  const Tensor& memory = trace[owner];
  const std::size_t dim = trace.config.head_dim();
  if (ops::counts_heads(trace.axes_of(owner)[1]))
    return position / (memory.dim(2) * dim) % memory.dim(1);
  return position / dim % (memory.dim(2) / dim);
}

struct Window {
  std::size_t first = 0;
  std::size_t count = 0;
};

/// As many floats as fit, including `marked`, beginning with a whole row of a head if possible.
Window window_around(std::size_t marked, std::size_t begin, std::size_t size, std::size_t fits,
                     std::size_t row) {
  const std::size_t count = std::min(size, std::max<std::size_t>(1, fits));
  std::size_t first = marked > count / 2 ? marked - count / 2 : 0;
  first = std::clamp(first, begin, begin + size - count);
  if (count < size && row <= count / 2) {
    const std::size_t aligned = begin + (first - begin) / row * row;
    if (marked < aligned + count) first = aligned;
  }
  return {first, count};
}

Group ribbon_group(TensorId owner, const Window& window, std::size_t begin, std::size_t size) {
  Group group;
  group.tensor = owner;
  group.title = base::text("stage.memory.title", {{"tensor", model::name_of(owner)}});
  const std::size_t first = window.first - begin;
  group.shape =
      window.count == size
          ? base::text("stage.memory.whole", {{"count", size}})
          : base::text("stage.memory.part",
                       {{"first", first}, {"last", first + window.count - 1}, {"count", size}});
  return group;
}

/// Whether all floats of a sample are visible, so that they can be counted from the first one on.
bool is_counted(const Tensor& memory, float width) {
  constexpr float least_cell = 14.0F;
  const std::size_t floats = memory.size() / memory.dim(0);
  return static_cast<float>(floats) * least_cell <= width;
}

/// Adds the memory as a block of one row, `over` pixels below its caption. Returns the area of its
/// cells.
Rect put_run(Stage& stage, const FigureInput& input, TensorId owner, std::size_t marked,
             const Rect& place, float over, Figure& figure) {
  const Trace& trace = input.attention.trace;
  const Tensor& memory = trace[owner];
  // In merge there are two runs, which have to leave room for the lines below them.
  const float highest = input.view_state.step == lesson::StepId::merge ? 24.0F : 30.0F;
  const std::size_t size = memory.size() / memory.dim(0);
  const std::size_t begin = memory.offset() + input.view_state.sample * size;
  const bool counted =
      input.view_state.step == lesson::StepId::transpose && is_counted(memory, place.width);
  const bool narrow = place.width < 420.0F;
  const float least = counted ? 14.0F : narrow ? 30.0F : 36.0F;
  const auto fits = static_cast<std::size_t>(place.width / least);
  const Window window = window_around(marked, begin, size, fits, trace.config.head_dim());
  const float widest = std::max(46.0F, place.width / 24.0F);
  const float width = std::min(widest, place.width / static_cast<float>(window.count));
  const float height = std::clamp(width * (narrow ? 1.0F : 0.75F), 20.0F, highest);
  Block block;
  block.attention = input.attention.id;
  block.tensor = owner;
  // The floats in storage order, whatever shape the step reads from them.
  const Tensor run = memory.reshape({1, memory.size()});
  block.matrix = run.narrow(1, window.first - memory.offset(), window.count);
  block.run = memory;
  block.run_start = window.first;
  block.corner = Index::filled(memory.rank(), 0);
  block.range = value_range(memory);
  block.cells = {place.x, place.y + over_run + over, width * static_cast<float>(window.count),
                 height};
  Group group = ribbon_group(owner, window, begin, size);
  group.caption = {place.x, place.y, place.width, caption_height};
  group.bounds = {place.x, place.y, place.width, over_run + over + height + 20.0F};

  // Below each float a bar in its head's hue, and its index if that fits.
  for (std::size_t i = 0; i < window.count; ++i) {
    const Rect cell = block.cell(0, i);
    const std::size_t head =
        head_of(trace, owner, window.first - memory.offset() + i) * trace.sharing(owner);
    figure.bars.push_back({{cell.x + 0.75F, cell.bottom() + 3.0F, cell.width - 1.5F, 3.0F},
                           Tone::head,
                           head,
                           1.0F,
                           0.0F,
                           std::nullopt});
    const bool here = window.first + i == marked;
    if (width < 24.0F && !here) continue;
    add_number(figure, {cell.centre().x, cell.bottom() + 14.0F}, Side::centre,
               std::to_string(window.first - begin + i), here ? Tone::strong : Tone::quiet, 10.5F);
  }
  const Rect where = block.cells;
  add_group(stage, std::move(group), {std::move(block)});
  return where;
}

/// A shape without its batch axis, such as "[Lq 3, H 2, D 3]".
std::string shape_text(const Trace& trace, TensorId id) {
  const Tensor& tensor = trace[id];
  const auto axes = trace.axes_of(id);
  std::string text;
  for (std::size_t axis = 1; axis < tensor.rank(); ++axis) {
    text += (text.empty() ? "[" : ", ") + std::string(name_of(axes[axis], trace.lengths)) + " " +
            std::to_string(tensor.dim(axis));
  }
  return text + "]";
}

std::string strides_text(const Tensor& tensor) {
  std::string text;
  for (std::size_t axis = 1; axis < tensor.rank(); ++axis)
    text += (text.empty() ? "[" : ", ") + std::to_string(tensor.strides()[axis]);
  return text + "]";
}

/// The place of a cell in its sample, such as "q_heads[1, 1, 1] is float 1·3 + 1·6 + 1·1 = 10".
/// `brief`: with a colon instead of words.
std::string ribbon_address(TensorId id, const Tensor& tensor, const Index& index, std::size_t begin,
                           bool brief) {
  std::string cell(model::name_of(id));
  std::string sum;
  for (std::size_t axis = 1; axis < tensor.rank(); ++axis) {
    cell += (axis == 1 ? "[" : ", ") + std::to_string(index[axis]);
    sum += (axis == 1 ? "" : " + ") + std::to_string(index[axis]) + "·" +
           std::to_string(tensor.strides()[axis]);
  }
  cell += "]";
  sum += " = " + std::to_string(tensor.position(index) - begin);
  return brief ? cell + ": " + sum
               : base::text("stage.memory.address", {{"cell", cell}, {"sum", sum}});
}

/// How the two tensors read the memory: shape and strides, with as many words as fit into `room`.
std::pair<std::string, std::string> readings(const Trace& trace, const Followed& followed,
                                             float room) {
  const auto reading = [&trace](TensorId id, const char* key) {
    return base::text(key, {{"tensor", model::name_of(id)},
                            {"shape", shape_text(trace, id)},
                            {"strides", strides_text(trace[id])}});
  };
  std::pair<std::string, std::string> lines;
  for (const char* key :
       {"stage.memory.reading", "stage.memory.reading.short", "stage.memory.reading.shortest"}) {
    lines = {reading(followed.before, key), reading(followed.after, key)};
    if (std::max(text_width(lines.first, 12.0F, true), text_width(lines.second, 12.0F, true)) <=
        room)
      break;
  }
  return lines;
}

void add_text(Figure& figure, float x, float& y, std::string_view label, float indent,
              const std::string& text, Tone tone = Tone::text) {
  add_words(figure, {x, y}, Side::left, label, Tone::quiet, 12.0F);
  add_number(figure, {x + indent, y}, Side::left, text, tone, 12.0F);
  y += line_height;
}

constexpr std::size_t most_jumps = 10;
constexpr float run_arc = 22.0F;
// Less than other arcs get: the words over and under the run keep a distance of their own.
constexpr float run_arc_room = arc_room(run_arc) - 4.0F;

/// From this width on, shapes and strides fit beside the caption.
constexpr float wide_enough = 640.0F;

float height_with_arcs(float width) {
  const float lines = width >= wide_enough ? line_height : 3.0F * line_height;
  return over_run + 2.0F * run_arc_room + 30.0F + under_run + lines;
}

/// The memory to scale, between two rows of arcs.
constexpr float scaled_height = 8.0F;
constexpr float scaled_arc = 15.0F;
constexpr float scaled_room = 2.0F * arc_room(scaled_arc) + scaled_height;

/// Puts the figure: the runs of memory, the arcs and the lines of text.
class Ribbon {
 public:
  Ribbon(Stage& stage, const FigureInput& input, const Rect& place)
      : stage_(stage),
        input_(input),
        place_(place),
        trace_(input.attention.trace),
        followed_(followed_in(trace_, input.view_state)),
        memory_(trace_[followed_.owner]),
        size_(memory_.size() / memory_.dim(0)),
        begin_(memory_.offset() + input.view_state.sample * size_),
        marked_(marked_float(input, followed_.owner)),
        before_(trace_[followed_.before].index_at(marked_)),
        after_(trace_[followed_.after].index_at(marked_)),
        figure_(figure_in("memory", place)) {}

  void put() {
    // Both orders lead to the same float, since a transpose changes only the strides.
    const bool two_ways = input_.view_state.step == lesson::StepId::transpose && before_ && after_;
    const bool arcs = two_ways && place_.height >= height_with_arcs(place_.width) &&
                      is_counted(memory_, place_.width);
    // The run stays where it is whether arcs lead to the float, as they do to all but the first.
    const float room = arcs ? run_arc_room : 0.0F;
    Rect run = put_run(stage_, input_, followed_.owner, marked_, place_, room, figure_);
    if (arcs) put_ways(stage_.blocks.back());
    if (input_.view_state.step == lesson::StepId::merge) run = put_copy(run);
    const float y = run.bottom() + under_run + 4.0F + room;
    if (arcs && place_.width >= wide_enough)
      put_lines_at_arcs(y + 4.0F);
    else
      put_lines_below(y, two_ways && !arcs);
    stage_.figures.push_back(std::move(figure_));
  }

 private:
  /// The ways to the marked float by both orders, over and under the run.
  void put_ways(const Block& run) {
    const std::vector<Jump> one_way = jumps_to(trace_, followed_.before, *before_);
    if (one_way.size() > most_jumps) return;
    const auto x_of = [&](std::size_t position) {
      return run.cell(0, begin_ + position - run.run_start).centre().x;
    };
    put_arcs(figure_, one_way, x_of, run.cells.y - 3.0F, true, run_arc);
    put_arcs(figure_, jumps_to(trace_, followed_.after, *after_), x_of,
             run.cells.bottom() + under_run, false, run_arc);
  }

  /// Merge copies the numbers: a second run, below the first, shows where the marked one arrives.
  /// Returns the lower run.
  Rect put_copy(const Rect& run) {
    const Tensor& merged = trace_["merged"];
    const auto index = trace_["merged_split"].index_at(marked_);
    const float another = under_run + over_run + run.height + under_run;
    // With a single head nothing is copied.
    const bool copied = !merged.shares_storage_with(memory_);
    if (!copied || !index || !merged.is_contiguous() || run.bottom() + another > place_.bottom())
      return run;
    const std::size_t column = (*index)[2] * trace_.config.head_dim() + (*index)[3];
    const Rect below{place_.x, run.bottom() + under_run, place_.width,
                     place_.bottom() - run.bottom() - under_run};
    return put_run(stage_, input_, "merged", merged.position({(*index)[0], (*index)[1], column}),
                   below, 0.0F, figure_);
  }

  /// What reads the memory in which order stands at the arcs that do.
  void put_lines_at_arcs(float below) {
    constexpr float indent = 56.0F;
    const float x = place_.x + 270.0F;
    const auto [before, after] = readings(trace_, followed_, place_.right() - x - indent);
    float y = place_.y + 9.0F;
    add_text(figure_, x, y, "", 0.0F, address(false));
    add_text(figure_, x, y, base::text("stage.memory.before"), indent, before);
    add_text(figure_, x, below, base::text("stage.memory.after"), indent, after);
  }

  /// The lines from `y` on; between them, if it is asked for and there is room, all memory to
  /// scale.
  void put_lines_below(float y, bool with_all) {
    // "before" and "after" are only useful together.
    if (y + 1.5F * line_height > place_.bottom()) return;
    const bool narrow = place_.width < 420.0F;
    const float indent = narrow ? 48.0F : 56.0F;
    const auto [before, after] = readings(trace_, followed_, place_.width - indent);
    add_text(figure_, place_.x, y, base::text("stage.memory.before"), indent, before);
    if (with_all && y + scaled_room + 2.5F * line_height <= place_.bottom()) {
      put_all_to_scale(stage_.blocks.back(), y + arc_room(scaled_arc) - 0.5F * line_height);
      y += scaled_room;
    }
    add_text(figure_, place_.x, y, base::text("stage.memory.after"), indent, after);
    const std::string where = address(narrow);
    if (where.empty() || y + 0.5F * line_height > place_.bottom()) return;
    const float left = narrow ? 0.0F : indent;
    // Long ones are set a little smaller on a phone.
    const float room = place_.width - left;
    const float size = std::clamp(12.0F * room / text_width(where, 12.0F, true), 11.0F, 12.0F);
    add_number(figure_, {place_.x + left, y}, Side::left, where, Tone::text, size);
  }

  /// All floats of the sample as one bar, in the hues of their heads, with a frame around those
  /// that the run shows, and the ways to the marked float by both orders: for memory of which the
  /// run is too small a part to hold a jump. `y`: the top of the bar.
  void put_all_to_scale(const Block& run, float y) {
    const auto x_of = [&](std::size_t position) {
      return place_.x + place_.width * static_cast<float>(position) / static_cast<float>(size_);
    };
    const std::size_t row = trace_.config.head_dim();
    for (std::size_t from = 0; from < size_; from += row) {
      const std::size_t head = head_of(trace_, followed_.owner, begin_ - memory_.offset() + from) *
                               trace_.sharing(followed_.owner);
      const Rect part{x_of(from), y, x_of(from + row) - x_of(from), scaled_height};
      figure_.bars.push_back({part, Tone::head, head, 1.0F, 0.0F, std::nullopt});
    }
    const float left = x_of(run.run_start - begin_);
    const float right = x_of(run.run_start - begin_ + run.columns());
    const float top = y - 2.0F;
    const float bottom = y + scaled_height + 2.0F;
    Stroke frame;
    frame.points = {{left, top}, {right, top}, {right, bottom}, {left, bottom}, {left, top}};
    frame.tone = Tone::text;
    figure_.strokes.push_back(std::move(frame));
    put_arcs(figure_, in_one(jumps_to(trace_, followed_.before, *before_)), x_of, top - 2.0F, true,
             scaled_arc);
    put_arcs(figure_, in_one(jumps_to(trace_, followed_.after, *after_)), x_of, bottom + 2.0F,
             false, scaled_arc);
  }

  /// The line that works out where the marked cell lies; empty if it is not in the tensor.
  std::string address(bool brief) const {
    if (!after_) return {};
    return ribbon_address(followed_.after, trace_[followed_.after], *after_, begin_, brief);
  }

  Stage& stage_;
  const FigureInput& input_;
  const Rect& place_;
  const Trace& trace_;
  Followed followed_;
  const Tensor& memory_;
  std::size_t size_;   // floats of a sample
  std::size_t begin_;  // position of the sample's first float
  std::size_t marked_;
  std::optional<Index> before_;
  std::optional<Index> after_;
  Figure figure_;
};

}  // namespace

bool runs_through_all(const FigureInput& input) {
  constexpr float widest = 900.0F;  // about the width of a page's stage
  const TensorId owner = followed_in(input.attention.trace, input.view_state).owner;
  return is_counted(input.attention.trace[owner], widest);
}

void put_ribbon(Stage& stage, const FigureInput& input, const Rect& place) {
  const Trace& trace = input.attention.trace;
  if (trace[followed_in(trace, input.view_state).owner].is_contiguous())
    Ribbon(stage, input, place).put();
}

}  // namespace stage
