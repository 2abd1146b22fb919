// The cell in focus: its place, its number and the arithmetic behind it.
#include <optional>

#include "base/text.hpp"
#include "document/learning/target.hpp"
#include "draw/panels/focus/arithmetic_lines.hpp"
#include "draw/panels/focus/equation_line.hpp"
#include "draw/panels/focus/key_switch.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "stage/highlight/cell_diff.hpp"
#include "stage/scene/number_text.hpp"
#include "stage/wording/cell/equation.hpp"
#include "stage/wording/cell/layer_words.hpp"

namespace draw {

namespace {

using model::Cell;
using model::Explanation;
using model::Rule;

/// Where the number is in memory, within its sample: position = offset + Σ index·stride.
void memory(const Screen& screen, Widgets& widgets, const CellRef& cell) {
  const model::Trace& trace = screen.attention.trace;
  if (!trace.has(cell.tensor)) return;
  const tensor::Tensor& tensor = trace[cell.tensor];
  const auto axes = trace.axes_of(cell.tensor);
  std::size_t position = tensor.position(cell.index);
  std::size_t size = tensor.storage().size();
  std::string strides;
  for (std::size_t axis = 0; axis < tensor.rank(); ++axis) {
    const std::size_t stride = tensor.strides()[axis];
    if (axes[axis] == model::Axis::B) {
      position -= cell.index[axis] * stride;
      if (stride > 0) size /= tensor.dim(axis);
      continue;
    }
    strides += (strides.empty() ? "" : ", ") + std::to_string(stride);
  }
  widgets.numbers(base::text("draw.inspector.memory",
                             {{"position", position}, {"size", size}, {"strides", strides}}),
                  screen.theme.quiet, 11.5F);
}

std::string_view words_for(stage::FocusBy by) {
  switch (by) {
    case stage::FocusBy::moving:
      return base::text("draw.inspector.moving");
    case stage::FocusBy::pointed:
      return base::text("draw.inspector.pointed");
    case stage::FocusBy::chosen:
      return base::text("draw.inspector.selected");
    case stage::FocusBy::step:
      break;
  }
  return {};
}

/// The heading "In focus", and why this cell is.
void heading(const Screen& screen, Widgets& widgets) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float right = at.x + ImGui::GetContentRegionAvail().x;
  widgets.heading(base::text("draw.inspector.title"));
  set_text(ImGui::GetWindowDrawList(), screen.type.words, 12.0F, {right, at.y + 7.0F}, Align::right,
           packed(screen.theme.quiet), words_for(screen.focus.by));
}

/// The cell's name with its number at the right of the same line or, without room there, below it.
void named_number(const Screen& screen, Widgets& widgets, const std::string& name,
                  const std::string& number) {
  constexpr float name_size = 14.0F;
  constexpr float number_size = 15.0F;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = ImGui::GetContentRegionAvail().x;
  widgets.numbers(name, screen.theme.text, name_size);
  const float taken = measure(screen.type.numbers, name_size, name).x +
                      measure(screen.type.strong_numbers, number_size, number).x;
  if (taken + 10.0F > room) return widgets.numbers(number, screen.theme.text, number_size, true);
  set_text(ImGui::GetWindowDrawList(), screen.type.strong_numbers, number_size,
           {at.x + room, at.y + name_size / 2.0F + 1.0F}, Align::right, packed(screen.theme.text),
           number);
}

void editing(const Screen& screen, Widgets& widgets, View& view, Requests& requests,
             const Cell& cell) {
  const document::ComputedAttention& attention = screen.attention;
  const bool learning = screen.session.document().view_state.learning;
  const auto own =
      learning ? document::targeted(attention, {cell.tensor, cell.index}) : std::nullopt;
  if (own) {
    const auto target = document::target_of(screen.session.document().configuration, *own);
    if (widgets.text_button(target ? "draw.inspector.change_target"
                                   : "draw.inspector.set_target")) {
      view.editing = true;
      view.edit_starts = true;
      view.select_all = true;
      view.edit_text = stage::number_for_editing(target.value_or(cell.value));
    }
    if (target) {
      widgets.words(
          base::text("draw.inspector.target", {{"number", stage::number_text_telling(*target)}}),
          screen.theme.text, 12.5F);
    }
    return;
  }
  const bool editable = document::is_editable(attention, cell.tensor);
  if (editable && widgets.text_button("draw.inspector.change")) {
    view.editing = true;
    view.edit_starts = true;
    view.select_all = true;
    view.edit_text = stage::number_for_editing(cell.value);
  }
  const std::optional<KeySwitch> key = key_switch(attention, {cell.tensor, cell.index});
  if (!key) return;
  if (editable && attention.trace.config.num_heads == 1) Widgets::same_line(2.0F);
  if (widgets.text_button(key->words)) requests.add(key->command);
}

/// What the cell held before the edits or, while that is compared with, in the original; nothing
/// where it is the same number.
std::optional<float> held_before(const Screen& screen, const CellRef& cell, float value) {
  const bool compares = screen.session.document().view_state.compare;
  const document::Computed* before =
      compares ? screen.session.original() : screen.session.without_edits();
  if (before == nullptr) return std::nullopt;
  const model::Trace& trace = before->find(screen.attention.id).trace;
  if (!trace.has(cell.tensor)) return std::nullopt;
  const float was = trace[cell.tensor].at(cell.index);
  return stage::is_another(value, was) ? std::optional(was) : std::nullopt;
}

}  // namespace

void inspector(const Screen& screen, View& view, Requests& requests) {
  Widgets widgets(screen.theme, screen.type);
  const document::ComputedAttention& attention = screen.attention;
  const CellRef& cell = screen.focus.cell;
  const Explanation made = model::explain(attention.trace, cell.tensor, cell.index);
  // Another cell begins with its name and its number.
  if (view.inspected != cell) ImGui::SetScrollY(0.0F);
  view.inspected = cell;
  // A page's panel is low while a group or the step's words are open: a line of arithmetic is then
  // worth more than a heading and a large number. Where there is no panel there is no heading.
  constexpr float enough_for_heading = 200.0F;
  const bool page = screen.chrome.form == stage::Form::page;
  const bool low = page && ImGui::GetContentRegionAvail().y < enough_for_heading;
  if (page && !low) heading(screen, widgets);
  const std::string address = address_text(attention, cell.tensor, cell.index);
  const bool under_way = screen.focus.added && *screen.focus.added < made.terms.size();
  const bool with_equation =
      screen.chrome.form == stage::Form::phone && !screen.chrome.panel.empty();
  if (with_equation) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::Dummy({width, draw_equation(screen, {at.x, at.y, width, 72.0F}, 12.0F)});
  } else if (low && !under_way) {
    named_number(screen, widgets, address, number_of(made.cell.tensor, made.cell.value));
  } else {
    widgets.numbers(address, screen.theme.text, 14.0F);
  }
  widgets.words(stage::place_words(attention, cell), screen.theme.quiet, 12.5F);
  if (!under_way && !with_equation && !low)
    widgets.numbers(number_of(made.cell.tensor, made.cell.value), screen.theme.text, 21.0F, true);
  if (const auto was = held_before(screen, cell, made.cell.value); was && !under_way) {
    const bool compares = screen.session.document().view_state.compare;
    const std::string number = number_of(cell.tensor, *was);
    const std::string difference = number_of(cell.tensor, made.cell.value - *was);
    widgets.words(compares ? base::text("draw.inspector.original",
                                        {{"number", number}, {"difference", difference}})
                           : base::text("draw.inspector.was", {{"number", number}}),
                  screen.theme.text, 12.5F);
  }
  if (screen.session.document().view_state.cell == cell)
    editing(screen, widgets, view, requests, made.cell);
  const std::string last_edit = changed(view, screen.session);
  if (!last_edit.empty() && screen.focus.by != stage::FocusBy::pointed)
    widgets.words(last_edit, screen.theme.text, 12.5F);
  if (screen.session.document().view_state.guessing) {
    widgets.words(stage::hidden_words(), screen.theme.quiet, 12.5F);
    return;
  }
  arithmetic(screen, widgets, requests, made);
  const auto by_layers = stage::layer_lines(screen.session.computed(), attention, cell);
  if (!by_layers.empty()) Widgets::space(4.0F);
  for (const std::string& line : by_layers) widgets.words(line, screen.theme.text, 12.5F);
  Widgets::space(6.0F);
  // Where numbers lie in memory is a matter of the step that splits vectors, and of those after it.
  const bool of_memory = screen.session.document().view_state.step > lesson::StepId::project;
  if (of_memory) memory(screen, widgets, cell);
  std::string shape;
  // Without the batch axis, which addresses leave out, too.
  for (const model::Axis axis : attention.trace.axes_of(cell.tensor))
    if (axis != model::Axis::B)
      shape += " " + std::string(name_of(axis, attention.trace.lengths)) + " ";
  widgets.words(stage::axis_words(shape), screen.theme.quiet, 12.0F);
  if (of_memory && screen.chrome.form == stage::Form::page && attention.trace.has(cell.tensor))
    widgets.words(base::text("draw.inspector.strides"), screen.theme.quiet, 12.0F);
  if (!made.terms.empty() && made.rule != Rule::fully_masked)
    widgets.words(base::text("draw.inspector.click"), screen.theme.quiet, 12.0F);
  if (screen.chrome.form == stage::Form::page && screen.focus.by == stage::FocusBy::step) {
    if (screen.session.has_task())
      widgets.words(base::text("draw.training.held_out"), screen.theme.quiet, 12.0F);
    widgets.words(base::text("draw.inspector.pointer_help"), screen.theme.quiet, 12.0F);
    widgets.words(base::text(screen.session.has_task() ? "draw.inspector.key_help.training"
                                                       : "draw.inspector.key_help"),
                  screen.theme.quiet, 12.0F);
  }
  if (screen.chrome.form == stage::Form::page && screen.focus.by == stage::FocusBy::chosen) {
    if (document::is_editable(attention, cell.tensor))
      widgets.words(base::text("draw.inspector.paste_help"), screen.theme.quiet, 12.0F);
    widgets.words(base::text("draw.inspector.key_help.chosen"), screen.theme.quiet, 12.0F);
  }
}

}  // namespace draw
