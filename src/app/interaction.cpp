// The pointer and the keys on the stage: what they mean.
#include <algorithm>
#include <cmath>

#include "app/app.hpp"
#include "imgui.h"
#include "imgui_stdlib.h"
#include "stage/number_text.hpp"

namespace app {

namespace {

constexpr float most_zoom = 400.0F;
constexpr float least_of_fit = 0.5F;  // one can step back to half of what fits, not lose the stage

draw::CellRef ref(const stage::Stage& stage, const stage::Hit& hit) {
  const stage::Block& block = stage.blocks[hit.block];
  return {block.tensor, block.index_of(hit.row, hit.column)};
}

}  // namespace

void App::interact(draw::Requests& requests) {
  edit_box(requests);
  pointer(requests);
  keys(requests);
}

std::optional<stage::Hit> App::place_of(const std::optional<draw::CellRef>& cell) const {
  if (!cell) return std::nullopt;
  return stage::find_cell(stage_, cell->tensor, cell->index);
}

void App::zoom_at(stage::Point screen, float factor) {
  camera_ =
      camera_.zoomed_at(screen, factor, chrome_.stage, fitted_.zoom * least_of_fit, most_zoom);
  request_frames(1);
}

void App::fit() {
  camera_ = fitted_;
  request_frames(1);
}

void App::choose(std::optional<document::CellRef> cell) {
  if (cell == chosen()) return;
  // What was wrong before stays on screen: choosing puts nothing right.
  if (session_.perform(document::ChooseCell{std::move(cell)})) request_frames(2);
}

void App::choose_cell(const std::optional<stage::Hit>& hit) {
  view_.editing = false;
  view_.controls_open = false;
  if (!hit) {
    choose(std::nullopt);
    return;
  }
  const draw::CellRef cell = ref(stage_, *hit);
  // A second click lets go.
  choose(chosen() == cell ? std::nullopt : std::optional(cell));
}

void App::pointer(draw::Requests& requests) {
  ImGuiIO& io = ImGui::GetIO();
  for (const platform::Gesture& gesture : platform_->take_gestures()) {
    if (!chrome_.stage.contains({gesture.x, gesture.y})) continue;
    camera_ = camera_.panned(gesture.pan_x, gesture.pan_y);
    zoom_at({gesture.x, gesture.y}, gesture.zoom);
    drag_.reset();
    dragged_ = true;  // lifting the fingers is no tap
  }
  const stage::Point at{io.MousePos.x, io.MousePos.y};
  const bool over = !io.WantCaptureMouse && ImGui::IsMousePosValid() && chrome_.stage.contains(at);
  const stage::Point plane = camera_.to_plane(at, chrome_.stage);
  const std::optional<stage::Hit> hit = over ? stage::cell_at(stage_, plane) : std::nullopt;
  view_.pointed = hit ? std::optional(ref(stage_, *hit)) : std::nullopt;

  if (over && io.MouseWheel != 0.0F) zoom_at(at, std::pow(1.2F, io.MouseWheel));
  if (over && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) {
    drag_ = at;
    dragged_ = false;
  }
  if (!drag_) return;
  if (ImGui::IsMouseDragging(ImGuiMouseButton_Left)) {
    camera_ = camera_.panned(at.x - drag_->x, at.y - drag_->y);
    drag_ = at;
    dragged_ = true;
  }
  if (!ImGui::IsMouseReleased(ImGuiMouseButton_Left)) return;
  drag_.reset();
  if (dragged_ || !over) return;
  if (io.MouseClickedLastCount[ImGuiMouseButton_Left] >= 2 && hit) {
    choose(ref(stage_, *hit));
    begin_editing({}, true);
    return;
  }
  if (!hit) {
    if (const auto query = stage::query_at(stage_, plane)) {
      requests.add(document::ChooseQuery{*query});
      return;
    }
  } else if (stage_.blocks[hit->block].rows_are_queries) {
    requests.add(document::ChooseQuery{hit->row});
  }
  choose_cell(hit);
}

void App::begin_editing(const std::string& text, bool select_all) {
  if (!chosen()) return;
  const document::ComputedAttention& attention = session_.attention();
  const attention::TensorId tensor = chosen()->tensor;
  if (!document::is_editable(attention, tensor)) {
    if (tensor == attention::TensorId::position_encoding) {
      view_.message =
          "position_encoding is a fixed formula of the position; the embeddings and weights can be "
          "changed.";
    } else {
      view_.message =
          std::string(attention::name_of(tensor)) +
          " is computed; change a number it comes from: an input, a weight or the mask.";
    }
    return;
  }
  const stage::Block* block = nullptr;
  if (const auto place = place_of(chosen())) block = &stage_.blocks[place->block];
  view_.editing = true;
  view_.edit_starts = true;
  view_.select_all = select_all;
  view_.edit_text = text;
  if (text.empty() && block != nullptr) {
    const auto place = place_of(chosen());
    view_.edit_text = stage::number_for_editing(block->value(place->row, place->column));
  }
  request_frames(3);
}

void App::edit_box(draw::Requests& requests) {
  if (!view_.editing) return;
  const auto place = place_of(chosen());
  if (!place) {
    view_.editing = false;
    return;
  }
  const stage::Rect cell =
      camera_.to_screen(stage_.blocks[place->block].cell(place->row, place->column), chrome_.stage);
  const stage::Rect seen = cell.intersected(chrome_.stage);
  const stage::Point middle = seen.empty() ? chrome_.stage.centre() : seen.centre();
  const float width = std::max(104.0F, std::min(cell.width, 180.0F));
  ImGui::SetNextWindowPos(
      {std::clamp(middle.x - width / 2.0F, 4.0F, std::max(4.0F, chrome_.bar.width - width - 4.0F)),
       middle.y - 14.0F});
  ImGui::SetNextWindowSize({width, 28.0F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0.0F, 0.0F});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0.0F);
  ImGui::Begin("##edit", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground);
  if (view_.edit_starts) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(width);
  ImGui::PushFont(type_.numbers, 14.0F);
  ImGui::PushStyleColor(ImGuiCol_Border, draw::packed(theme().accent));
  ImGui::PushStyleColor(ImGuiCol_FrameBg, draw::packed(theme().surface));
  ImGuiInputTextFlags flags = ImGuiInputTextFlags_EnterReturnsTrue;
  if (view_.select_all) flags |= ImGuiInputTextFlags_AutoSelectAll;
  const bool committed = ImGui::InputText("##number", &view_.edit_text, flags);
  const bool left = ImGui::IsItemDeactivated();
  ImGui::PopStyleColor(2);
  ImGui::PopFont();
  ImGui::End();
  ImGui::PopStyleVar(2);
  if (view_.edit_starts) {
    view_.edit_starts = false;
    request_frames(2);
    return;
  }
  if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) {
    view_.editing = false;
    request_frames(2);
    return;
  }
  if (!committed && !left) return;
  view_.editing = false;
  request_frames(2);
  float value = 0.0F;
  if (!stage::parse_number(view_.edit_text, value)) {
    requests.error =
        "“" + view_.edit_text + "” is not a number; type something like −0.25" +
        (chosen()->tensor == attention::TensorId::mask ? ", or -inf to hide the key." : ".");
    return;
  }
  const stage::Block& block = stage_.blocks[place->block];
  if (block.value(place->row, place->column) == value) return;
  requests.add(
      document::EditCell{{session_.attention().id, chosen()->tensor, chosen()->index}, value});
}

void App::move_pin(int rows, int columns) {
  const auto place = place_of(chosen());
  if (!place) return;
  const stage::Block& block = stage_.blocks[place->block];
  const auto moved = [](std::size_t at, int by, std::size_t count) {
    const long next = static_cast<long>(at) + by;
    return static_cast<std::size_t>(std::clamp(next, 0L, static_cast<long>(count) - 1));
  };
  choose(ref(stage_, {place->block, moved(place->row, rows, block.rows()),
                      moved(place->column, columns, block.columns())}));
}

void App::keys(draw::Requests& requests) {
  const ImGuiIO& io = ImGui::GetIO();
  if (io.WantTextInput || view_.editing) return;
  const auto pressed = [](ImGuiKey key) { return ImGui::IsKeyPressed(key, true); };
  const bool command = io.KeyCtrl || io.KeySuper;
  if (command) {
    if (pressed(ImGuiKey_Z)) (io.KeyShift ? requests.redo : requests.undo) = true;
    if (pressed(ImGuiKey_Y)) requests.redo = true;
    return;
  }
  if (io.KeyAlt) return;
  const auto step = static_cast<std::size_t>(session_.document().look.step);
  const auto go = [&](std::size_t to) {
    requests.add(document::ChooseStep{lesson::steps()[to].id});
  };
  if (chosen()) {
    if (pressed(ImGuiKey_LeftArrow)) move_pin(0, -1);
    if (pressed(ImGuiKey_RightArrow)) move_pin(0, 1);
    if (pressed(ImGuiKey_UpArrow)) move_pin(-1, 0);
    if (pressed(ImGuiKey_DownArrow)) move_pin(1, 0);
    if (ImGui::IsKeyPressed(ImGuiKey_Enter, false) ||
        ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false) ||
        ImGui::IsKeyPressed(ImGuiKey_F2, false)) {
      begin_editing({}, true);
      return;
    }
  } else {
    if (pressed(ImGuiKey_LeftArrow) && step > 0) go(step - 1);
    if (pressed(ImGuiKey_RightArrow) && step + 1 < lesson::step_count) go(step + 1);
    const std::size_t query = session_.document().look.query;
    if (pressed(ImGuiKey_UpArrow) && query > 0) requests.add(document::ChooseQuery{query - 1});
    if (pressed(ImGuiKey_DownArrow) && query + 1 < session_.attention().trace.config.query_len) {
      requests.add(document::ChooseQuery{query + 1});
    }
  }
  if (pressed(ImGuiKey_PageUp) && step > 0) go(step - 1);
  if (pressed(ImGuiKey_PageDown) && step + 1 < lesson::step_count) go(step + 1);
  if (ImGui::IsKeyPressed(ImGuiKey_Escape, false)) {
    choose(std::nullopt);
    view_.controls_open = false;
    view_.message.clear();
  }
  // What is typed: a number begins an edit of the chosen cell, + − 0 zoom.
  for (const ImWchar typed : io.InputQueueCharacters) {
    const bool number =
        (typed >= '0' && typed <= '9') || typed == '-' || typed == '.' || typed == ',';
    if (chosen() && number && document::is_editable(session_.attention(), chosen()->tensor)) {
      begin_editing(std::string(1, static_cast<char>(typed)), false);
      return;
    }
    if (typed == '+' || typed == '=') zoom_at(chrome_.stage.centre(), 1.25F);
    if (typed == '-') zoom_at(chrome_.stage.centre(), 0.8F);
    if (typed == '0') fit();
  }
}

}  // namespace app
