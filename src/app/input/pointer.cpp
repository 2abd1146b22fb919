// The pointer on the stage: pointing, choosing, panning and zooming, dragging numbers.
#include <algorithm>
#include <cmath>

#include "app/app.hpp"
#include "base/text.hpp"
#include "draw/panels/widgets.hpp"
#include "imgui.h"
#include "model/roles.hpp"
#include "stage/focus/step_cell.hpp"
#include "stage/layout/matrices/batch_stack.hpp"
#include "stage/wording/cell/explanation_words.hpp"

namespace app {

namespace {

constexpr float most_zoom = 400.0F;
constexpr float least_of_fit = 0.5F;  // the smallest zoom, relative to the one that fits the stage
constexpr float least_to_paint = 9.0F;  // logical pixels; smaller cells are too hard to hit

draw::CellRef ref(const stage::Stage& stage, const stage::Hit& hit) {
  const stage::Block& block = stage.blocks[hit.block];
  return {block.tensor, block.index_of(hit.row, hit.column)};
}

}  // namespace

void App::interact(draw::Requests& requests) {
  const bool typed = view_.editing;  // then the keys are the field's, also those that close it
  edit_box();
  pointer(requests);
  if (!typed && keys(requests)) took_keys_ = true;
}

std::optional<stage::Hit> App::place_of(const std::optional<draw::CellRef>& cell) const {
  if (!cell) return std::nullopt;
  // The matrix in which it is pointed at, or was clicked, where several show it.
  const bool pointed = cell != chosen() && cell == view_.pointed;
  return stage::find_cell(stage_, cell->tensor, cell->index,
                          pointed ? pointed_block_ : chosen_block_);
}

std::optional<stage::Hit> App::place_of_focus() const {
  if (const auto shown = place_of(focus_.cell); shown || focus_.by != stage::FocusBy::moving)
    return shown;
  return stage::find_place(stage_, focus_.cell.tensor, focus_.cell.index);
}

void App::zoom_at(stage::Point screen, float factor) {
  camera_ =
      camera_.zoomed_at(screen, factor, chrome_.stage, fitted_.zoom * least_of_fit, most_zoom);
}

void App::fit() { camera_ = fitted_; }

void App::choose(std::optional<document::CellRef> cell) {
  if (cell == chosen()) return;
  // What was wrong before stays on screen: choosing puts nothing right.
  static_cast<void>(session_.perform(document::ChooseCell{cell}));
}

void App::choose_cell(const std::optional<stage::Hit>& hit) {
  view_.editing = false;
  view_.controls_open = false;
  if (!hit) {
    choose(std::nullopt);
    return;
  }
  // A second click on the same cell deselects it.
  const bool again = place_of(chosen()) == hit;
  chosen_block_ = hit->block;
  choose(again ? std::nullopt : std::optional(ref(stage_, *hit)));
}

void App::point_at(const stage::Target* target, draw::Requests& requests) {
  const auto place = target != nullptr ? std::optional(target->place) : std::nullopt;
  if (target != nullptr && target->click) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  preview_ = target != nullptr ? target->preview : std::nullopt;
  if (place == target_) return;
  target_ = place;
  if (target != nullptr && target->point) requests.add(*target->point);
}

bool App::leave_map(stage::Point plane, const std::optional<stage::Hit>& hit,
                    draw::Requests& requests) {
  if (session_.document().view_state.step != lesson::StepId::overview) return false;
  const stage::Group* group = hit ? &stage_.groups[stage_.blocks[hit->block].group] : nullptr;
  for (const stage::Group& other : stage_.groups) {
    if (!hit && !other.in_figure && other.caption.contains(plane)) group = &other;
  }
  if (group == nullptr) return false;
  // Its head, query and key are what the step is then about.
  if (hit) choose(ref(stage_, *hit));
  choose(std::nullopt);
  requests.add(document::ChooseStep{lesson::step_making(group->tensor)});
  // The stage may have changed since the first press; then this is no double click.
  ImGui::GetIO().MouseClickedTime[ImGuiMouseButton_Left] = -1.0;
  return true;
}

void App::pointer(draw::Requests& requests) {
  ImGuiIO& io = ImGui::GetIO();
  for (const platform::Gesture& gesture : platform_->take_gestures()) {
    if (scroll_panel_at(gesture.x, gesture.y, gesture.pan_y)) continue;
    if (!chrome_.stage.contains({gesture.x, gesture.y})) continue;
    end_playing_once();
    camera_ = camera_.panned(gesture.pan_x, gesture.pan_y);
    zoom_at({gesture.x, gesture.y}, gesture.zoom);
    break_off();  // so that lifting the fingers is no tap
  }
  const stage::Point at{io.MousePos.x, io.MousePos.y};
  const bool over = !io.WantCaptureMouse && ImGui::IsMousePosValid() && chrome_.stage.contains(at);
  const stage::Point plane = camera_.to_plane(at, chrome_.stage);
  const std::optional<stage::Hit> hit = over ? stage::cell_at(stage_, plane) : std::nullopt;
  view_.pointed = hit ? std::optional(ref(stage_, *hit)) : std::nullopt;
  if (hit) pointed_block_ = hit->block;

  if (over && io.MouseWheel != 0.0F) zoom_at(at, std::pow(1.2F, io.MouseWheel));
  if (over && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) drag_ = press_at(at, plane, hit);
  show_cursor(hit);
  // What comes to lie under a pointer at rest, when a list above it closes, is not pointed at.
  if (!over) elsewhere_ = at;
  const bool came = over && (at.x != elsewhere_.x || at.y != elsewhere_.y);
  if (!drag_) point_at(came ? stage::target_at(stage_, plane) : nullptr, requests);
  // A finger has no place between its taps; and what is chosen is shown anyway.
  const document::ViewState& view_state = session_.document().view_state;
  const document::ChooseHeadOf here{view_state.attention, view_state.head};
  if (!over || io.MouseSource != ImGuiMouseSource_Mouse || preview_ == here) preview_.reset();
  if (over && !hit && !drag_) {
    show_sheet(plane);
    show_axes(plane);
  }
  if (!drag_) return;
  if (ImGui::IsMouseDragging(ImGuiMouseButton_Left)) drag_to(at, io.KeyShift);
  if (!ImGui::IsMouseReleased(ImGuiMouseButton_Left)) return;
  const DragState press = *std::move(drag_);
  drag_.reset();
  if (press.moved || !over) return;
  if (press.click) {
    requests.add(*press.click);
    return;
  }
  if (leave_map(plane, hit, requests)) return;
  if (io.MouseClickedLastCount[ImGuiMouseButton_Left] >= 2 && hit) {
    chosen_block_ = hit->block;
    choose(ref(stage_, *hit));
    begin_editing();
    return;
  }
  if (!hit) {
    if (io.MouseClickedLastCount[ImGuiMouseButton_Left] >= 2) fit();
    if (const auto query = stage::query_at(stage_, plane)) {
      requests.add(document::ChooseQuery{*query});
      return;
    }
  }
  choose_cell(hit);
}

DragState App::press_at(stage::Point at, stage::Point plane,
                        const std::optional<stage::Hit>& hit) const {
  DragState press;
  press.at = press.start = at;
  press.start_plane = plane;
  press.hit = hit;
  if (hit) press.cell = ref(stage_, *hit);
  if (const stage::Target* target = stage::target_at(stage_, plane)) {
    press.click = target->click;
    press.drag = target->drag;
    if (press.drag) press.action = DragState::Action::target;
    return press;
  }
  if (!hit) {
    if (const auto sample = stage::sheet_at(stage_, plane))
      press.click = document::ChooseSample{*sample};
    return press;
  }
  const stage::Block& block = stage_.blocks[hit->block];
  if (!document::is_editable(session_.attention(), block.tensor) && !targeted(*press.cell))
    return press;
  const bool is_chosen = chosen() == ref(stage_, *hit);
  const stage::Rect cell = camera_.to_screen(block.cell(hit->row, hit->column), chrome_.stage);
  if (block.tensor == model::roles::mask) {
    const bool large = std::min(cell.width, cell.height) >= least_to_paint;
    if (large || is_chosen) press.action = DragState::Action::paint;
  } else if (is_chosen) {
    press.action = DragState::Action::change_number;
  }
  return press;
}

void App::drag_to(stage::Point at, bool fine) {
  const stage::Point plane = camera_.to_plane(at, chrome_.stage);
  if (!drag_->moved) {
    drag_->moved = true;
    begin_drag(at);
  }
  switch (drag_->action) {
    case DragState::Action::pan:
      camera_ = camera_.panned(at.x - drag_->at.x, at.y - drag_->at.y);
      break;
    case DragState::Action::change_number:
      view_.pointed.reset();
      if (at.x != drag_->at.x) {
        const float value = drag_->number->moved(at.x - drag_->at.x, fine);
        drag_edit({{drag_->number->cell(), value}});
      }
      break;
    case DragState::Action::paint: {
      // The block may be gone: a mask that hides nothing is not shown.
      const std::size_t number = drag_->hit->block;
      if (number < stage_.blocks.size() && stage_.blocks[number].tensor == model::roles::mask)
        drag_edit(drag_->stroke->moved_to(stage_.blocks[number], plane));
      break;
    }
    case DragState::Action::target:
      if (const auto command = drag_->drag(plane)) drag_perform(*command);
      break;
    case DragState::Action::nothing:
      break;
  }
  if (drag_) drag_->at = at;
}

void App::begin_drag(stage::Point at) {
  // Dragging sideways changes the number; up or down moves the stage.
  const bool sideways = std::fabs(at.x - drag_->start.x) >= std::fabs(at.y - drag_->start.y);
  if (drag_->action == DragState::Action::change_number && !sideways)
    drag_->action = DragState::Action::pan;
  const bool edits = drag_->action == DragState::Action::change_number ||
                     drag_->action == DragState::Action::paint;
  if (!edits) return;
  const stage::Hit& hit = *drag_->hit;
  const bool there =
      hit.block < stage_.blocks.size() && hit.row < stage_.blocks[hit.block].rows() &&
      hit.column < stage_.blocks[hit.block].columns() && ref(stage_, hit) == drag_->cell;
  if (!there || (drag_->action == DragState::Action::change_number && chosen() != drag_->cell)) {
    drag_->action = DragState::Action::nothing;
    return;
  }
  const stage::Block& block = stage_.blocks[hit.block];
  view_.editing = false;
  if (drag_->action == DragState::Action::paint) {
    drag_->stroke.emplace(block, hit, drag_->start_plane);
    return;
  }
  drag_->at = at;  // the distance that made it a drag does not change the number
  drag_->number.emplace(
      document::CellAddress{block.attention, block.tensor, block.index_of(hit.row, hit.column)},
      number_in(*chosen()), block.range);
}

void App::drag_edit(std::vector<document::Edit> edits) {
  if (edits.empty()) return;
  if (edits.size() == 1)
    drag_perform(command_to_set(edits.front().cell, edits.front().value));
  else
    drag_perform(document::EditCells{std::move(edits)});
}

void App::drag_perform(const document::Command& command) {
  const std::uint64_t before = session_.revision();
  if (!drag_->before) drag_->before = session_.computed();
  const auto done = session_.perform(command, drag_->changed);
  view_.message = done ? std::string() : done.error().message;
  drag_->changed = drag_->changed || session_.revision() != before;
  if (drag_->changed) say_what_changed(*drag_->before);
}

void App::break_off() {
  if (!drag_) return;
  if (drag_->changed) session_.take_back();
  drag_->changed = false;
  drag_->moved = true;
  drag_->action = DragState::Action::nothing;
}

void App::show_sheet(stage::Point plane) const {
  const auto sample = stage::sheet_at(stage_, plane);
  if (!sample || stage::target_at(stage_, plane) != nullptr) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  draw::tooltip(base::text("app.sample.tip", {{"sample", *sample}}));
}

void App::show_axes(stage::Point plane) const {
  for (const stage::Group& group : stage_.groups) {
    if (!group.caption.contains(plane)) continue;
    if (stage::axis_words(group.shape).empty()) return;
    // Of one head or one sample, all that the tensor has.
    const stage::Block& first = stage_.blocks[group.first_block];
    const model::Trace& trace = session_.computed().find(first.attention).trace;
    std::string shape = group.shape;
    std::string words;
    if (trace.has(group.tensor)) {
      shape = stage::shape_text(trace, group.tensor.value());
      words = base::text("app.shape.whole",
                         {{"tensor", model::name_of(group.tensor)}, {"shape", shape}}) +
              "\n";
    }
    draw::tooltip(words + stage::axis_words(shape));
    return;
  }
}

void App::show_cursor(const std::optional<stage::Hit>& hit) const {
  const DragState::Action action = drag_ ? drag_->action : DragState::Action::pan;
  const bool over_chosen =
      !drag_ && hit && chosen() == ref(stage_, *hit) && chosen()->tensor != model::roles::mask &&
      (targeted(*chosen()) || document::is_editable(session_.attention(), chosen()->tensor));
  const bool leads_on =
      !drag_ && hit && session_.document().view_state.step == lesson::StepId::overview;
  if (action == DragState::Action::change_number || over_chosen)
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  else if (leads_on)
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
}

}  // namespace app
