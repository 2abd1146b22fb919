// Keyboard commands on the stage, when no text field has the focus.
#include <algorithm>

#include "app/app.hpp"
#include "app/input/pressed.hpp"
#include "document/places/places.hpp"
#include "stage/wording/breadcrumb.hpp"

namespace app {

void App::move_chosen(int rows, int columns) {
  const auto place = place_of(chosen());
  if (!place) return;
  const stage::Block& block = stage_.blocks[place->block];
  const auto moved = [](std::size_t at, int by, std::size_t count) {
    const long next = static_cast<long>(at) + by;
    return static_cast<std::size_t>(std::clamp(next, 0L, static_cast<long>(count) - 1));
  };
  choose(document::CellRef{block.tensor,
                           block.index_of(moved(place->row, rows, block.rows()),
                                          moved(place->column, columns, block.columns()))});
}

void App::keys(draw::Requests& requests) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool escape = pressed_once(ImGuiKey_Escape);
  if (escape && drag_ && drag_->moved) {
    break_off();
    return;
  }
  if (io.WantTextInput || view_.editing) return;
  // An open list handles keys itself.
  if (ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup)) return;
  if (io.KeyCtrl || io.KeySuper) return keys_with_control(requests);
  if (io.KeyAlt) return;
  if (pressed_once(ImGuiKey_Space)) requests.play = true;
  if (io.KeyShift && keys_through_the_step(requests)) return;
  if (keys_on_the_cell(requests)) return;
  if (pressed(ImGuiKey_PageUp)) go_by_steps(-1, requests);
  if (pressed(ImGuiKey_PageDown)) go_by_steps(1, requests);
  if (pressed_once(ImGuiKey_Backspace)) {
    const std::vector<stage::Crumb> path =
        stage::breadcrumb(session_.computed(), session_.document().view_state);
    for (std::size_t level = 1; level < path.size(); ++level) {
      if (path[level].here) requests.level = path[level - 1].there;
    }
  }
  if (escape) {
    choose(std::nullopt);
    view_.controls_open = false;
    if (session_.document().view_state.more) requests.add(document::ShowMore{false});
    view_.message.clear();
  }
  typed_keys(requests);
}

void App::keys_with_control(draw::Requests& requests) {
  if (pressed(ImGuiKey_Z)) (ImGui::GetIO().KeyShift ? requests.redo : requests.undo) = true;
  if (pressed(ImGuiKey_Y)) requests.redo = true;
  if (pressed_once(ImGuiKey_C)) copy_cell();
  if (pressed_once(ImGuiKey_V)) paste(pasted_text());
}

/// The arrows with Shift: through the step, a twentieth at a time. Returns whether one was pressed.
bool App::keys_through_the_step(draw::Requests& requests) const {
  constexpr float little = 0.05F;
  const float progress = session_.document().view_state.progress;
  const float by = (pressed(ImGuiKey_RightArrow) ? little : 0.0F) -
                   (pressed(ImGuiKey_LeftArrow) ? little : 0.0F);
  if (by == 0.0F) return false;
  requests.add(document::SetProgress{std::clamp(progress + by, 0.0F, 1.0F)});
  return true;
}

/// Arrows and Enter, which are about the chosen cell if there is one, and else about steps and
/// queries. Returns whether its number is being edited now.
bool App::keys_on_the_cell(draw::Requests& requests) {
  const bool takes = enter_pressed() && !chosen();
  if (takes) {
    // What has the focus, where it can be seen: in the step as it is now, which no frame may have
    // shown yet.
    const stage::Stage now = composition().stage;
    const document::CellRef cell = focus_on(&now).cell;
    if (stage::find_cell(now, cell.tensor, cell.index)) choose(cell);
  }
  if (chosen()) {
    if (pressed(ImGuiKey_LeftArrow)) move_chosen(0, -1);
    if (pressed(ImGuiKey_RightArrow)) move_chosen(0, 1);
    if (pressed(ImGuiKey_UpArrow)) move_chosen(-1, 0);
    if (pressed(ImGuiKey_DownArrow)) move_chosen(1, 0);
    const bool edits = (enter_pressed() && !takes) || pressed_once(ImGuiKey_F2);
    if (edits) begin_editing();
    return edits;
  }
  if (pressed(ImGuiKey_LeftArrow)) go_by_steps(-1, requests);
  if (pressed(ImGuiKey_RightArrow)) go_by_steps(1, requests);
  const std::size_t query = session_.document().view_state.query;
  if (pressed(ImGuiKey_UpArrow) && query > 0) requests.add(document::ChooseQuery{query - 1});
  if (pressed(ImGuiKey_DownArrow) && query + 1 < session_.attention().trace.config.query_len)
    requests.add(document::ChooseQuery{query + 1});
  return false;
}

/// To the step before or after the one on the screen, if there is one.
void App::go_by_steps(int by, draw::Requests& requests) const {
  const lesson::StepId now = session_.document().view_state.step;
  const auto to = by < 0 ? view_.offered_steps.before(now) : view_.offered_steps.after(now);
  if (to) requests.add(document::ChooseStep{*to});
}

/// What is typed: a number begins an edit of the chosen cell, + − 0 zoom, letters switch.
void App::typed_keys(draw::Requests& requests) {
  for (const ImWchar typed : ImGui::GetIO().InputQueueCharacters) {
    const bool number =
        (typed >= '0' && typed <= '9') || typed == '-' || typed == '.' || typed == ',';
    // On a cell that cannot be edited, "-" and "0" zoom.
    const bool zooms = typed == '-' || typed == '0';
    if (chosen() && number &&
        (!zooms || targeted(*chosen()) ||
         document::is_editable(session_.attention(), chosen()->tensor))) {
      begin_editing(typed_text());
      return;
    }
    if (typed == '[' || typed == ']') step_through_heads(typed == ']', requests);
    if (typed == '+' || typed == '=') zoom_at(chrome_.stage.centre(), 1.25F);
    if (typed == '-') zoom_at(chrome_.stage.centre(), 0.8F);
    if (typed == '0') fit();
    const document::ViewState& now = session_.document().view_state;
    if ((typed == 'f' || typed == 'F') && now.step == lesson::StepId::overview) {
      using document::MapOpen;
      requests.add(document::OpenMap{now.map == MapOpen::all ? MapOpen::none : MapOpen::all});
    }
    if (typed == 'g' || typed == 'G') requests.add(document::ShowGradients{!now.gradients});
    if (typed == 'm' || typed == 'M') requests.map = true;
    if (typed == 't' || typed == 'T') requests.train = true;
  }
}

/// In the sentence, the mean over all heads comes before the first.
void App::step_through_heads(bool forward, draw::Requests& requests) const {
  const document::ViewState& now = session_.document().view_state;
  const model::Trace& trace = session_.attention().trace;
  const bool mean = document::draws_mean(trace, now);
  document::ViewState with_mean = now;
  with_mean.mean_heads = true;
  if (!forward && !mean && now.head == 0 && document::draws_mean(trace, with_mean)) {
    requests.add(document::ShowMeanOfHeads{true});
    return;
  }
  if (!forward && (mean || now.head == 0)) return;
  if (forward && !mean && now.head + 1 == trace.config.num_heads) return;
  const std::size_t head = mean ? 0 : forward ? now.head + 1 : now.head - 1;
  requests.add(document::ChooseHead{head});
  requests.add(document::ShowAllHeads{false});
  requests.add(document::ShowMeanOfHeads{false});
}

}  // namespace app
