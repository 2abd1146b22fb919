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

/// Returns whether one was pressed that had something to do.
bool App::keys(draw::Requests& requests) {
  const ImGuiIO& io = ImGui::GetIO();
  const bool escape = pressed_once(ImGuiKey_Escape);
  if (escape && drag_ && drag_->moved) {
    break_off();
    return true;
  }
  // A field and an open list handle keys themselves.
  if (io.WantTextInput || view_.editing || ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopup))
    return any_pressed();
  if (io.KeyCtrl || io.KeySuper) return keys_with_control(requests);
  if (io.KeyAlt) return false;
  bool used = pressed_once(ImGuiKey_Space);
  if (used) requests.play = true;
  if (io.KeyShift && keys_through_the_step(requests)) return true;
  used |= keys_on_the_cell(requests);
  if (view_.editing) return true;
  used |= pressed(ImGuiKey_PageUp) && go_by_steps(-1, requests);
  used |= pressed(ImGuiKey_PageDown) && go_by_steps(1, requests);
  if (pressed_once(ImGuiKey_Backspace)) {
    const std::vector<stage::Crumb> path =
        stage::breadcrumb(session_.computed(), session_.document().view_state);
    for (std::size_t level = 1; level < path.size(); ++level) {
      if (!path[level].here) continue;
      requests.level = path[level - 1].there;
      used = true;
    }
  }
  if (escape) used |= close_what_is_open(requests);
  return typed_keys(requests) || used;
}

/// Escape: lets go of the cell, closes the panel and takes away what is said. Returns whether there
/// was any of that.
bool App::close_what_is_open(draw::Requests& requests) {
  const bool more = session_.document().view_state.more;
  const bool open = chosen() || view_.controls_open || more || !view_.message.empty();
  choose(std::nullopt);
  view_.controls_open = false;
  if (more) requests.add(document::ShowMore{false});
  view_.message.clear();
  return open;
}

bool App::keys_with_control(draw::Requests& requests) {
  const bool z = pressed(ImGuiKey_Z);
  const bool y = pressed(ImGuiKey_Y);
  const bool copies = pressed_once(ImGuiKey_C);
  const bool pastes = pressed_once(ImGuiKey_V);
  if (z) (ImGui::GetIO().KeyShift ? requests.redo : requests.undo) = true;
  if (y) requests.redo = true;
  if (copies) copy_cell();
  if (pastes) paste(pasted_text());
  return z || y || copies || pastes;
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
/// queries. Returns whether one was pressed that had something to do: with a chosen cell, always.
bool App::keys_on_the_cell(draw::Requests& requests) {
  const bool takes = enter_pressed() && !chosen();
  if (takes) {
    // What has the focus, where it can be seen: in the step as it is now, which no frame may have
    // shown yet.
    const stage::Stage now = composition().stage;
    const document::CellRef cell = focus_on(&now).cell;
    if (stage::find_cell(now, cell.tensor, cell.index)) choose(cell);
  }
  const bool left = pressed(ImGuiKey_LeftArrow);
  const bool right = pressed(ImGuiKey_RightArrow);
  const bool up = pressed(ImGuiKey_UpArrow);
  const bool down = pressed(ImGuiKey_DownArrow);
  if (chosen()) {
    if (left) move_chosen(0, -1);
    if (right) move_chosen(0, 1);
    if (up) move_chosen(-1, 0);
    if (down) move_chosen(1, 0);
    const bool edits = (enter_pressed() && !takes) || pressed_once(ImGuiKey_F2);
    if (edits) begin_editing();
    return takes || edits || left || right || up || down;
  }
  bool used = left && go_by_steps(-1, requests);
  used |= right && go_by_steps(1, requests);
  const std::size_t query = session_.document().view_state.query;
  const bool earlier = up && query > 0;
  const bool later = down && query + 1 < session_.attention().trace.config.query_len;
  if (earlier) requests.add(document::ChooseQuery{query - 1});
  if (later) requests.add(document::ChooseQuery{query + 1});
  return used || earlier || later;
}

/// To the step before or after the one on the screen, if there is one, which is returned.
bool App::go_by_steps(int by, draw::Requests& requests) const {
  const lesson::StepId now = session_.document().view_state.step;
  const auto to = by < 0 ? view_.offered_steps.before(now) : view_.offered_steps.after(now);
  if (to) requests.add(document::ChooseStep{*to});
  return to.has_value();
}

/// What is typed: a number begins an edit of the chosen cell, + − 0 zoom, letters switch. Returns
/// whether it had something to do.
bool App::typed_keys(draw::Requests& requests) {
  bool used = false;
  for (const ImWchar typed : ImGui::GetIO().InputQueueCharacters) {
    const bool number =
        (typed >= '0' && typed <= '9') || typed == '-' || typed == '.' || typed == ',';
    // On a cell that cannot be edited, "-" and "0" zoom.
    const bool zooms = typed == '-' || typed == '0';
    if (chosen() && number &&
        (!zooms || targeted(*chosen()) ||
         document::is_editable(session_.attention(), chosen()->tensor))) {
      begin_editing(typed_text());
      return true;
    }
    used |= typed_letter(typed, requests);
  }
  return used;
}

bool App::typed_letter(unsigned int typed, draw::Requests& requests) {
  const document::ViewState& now = session_.document().view_state;
  switch (typed) {
    case '[':
    case ']':
      return step_through_heads(typed == ']', requests);
    case '+':
    case '=':
      zoom_at(chrome_.stage.centre(), 1.25F);
      return true;
    case '-':
      zoom_at(chrome_.stage.centre(), 0.8F);
      return true;
    case '0':
      fit();
      return true;
    case 'f':
    case 'F': {
      using document::MapOpen;
      if (now.step != lesson::StepId::overview) return false;
      requests.add(document::OpenMap{now.map == MapOpen::all ? MapOpen::none : MapOpen::all});
      return true;
    }
    case 'g':
    case 'G':
      requests.add(document::ShowGradients{!now.gradients});
      return true;
    case 'm':
    case 'M':
      return requests.map = true;
    case 't':
    case 'T':
      return requests.train = true;
    default:
      return false;
  }
}

/// In the sentence, the mean over all heads comes before the first. Returns whether there is one to
/// go to.
bool App::step_through_heads(bool forward, draw::Requests& requests) const {
  const document::ViewState& now = session_.document().view_state;
  const model::Trace& trace = session_.attention().trace;
  const bool mean = document::draws_mean(trace, now);
  document::ViewState with_mean = now;
  with_mean.mean_heads = true;
  if (!forward && !mean && now.head == 0 && document::draws_mean(trace, with_mean)) {
    requests.add(document::ShowMeanOfHeads{true});
    return true;
  }
  if (!forward && (mean || now.head == 0)) return false;
  if (forward && !mean && now.head + 1 == trace.config.num_heads) return false;
  const std::size_t head = mean ? 0 : forward ? now.head + 1 : now.head - 1;
  requests.add(document::ChooseHead{head});
  requests.add(document::ShowAllHeads{false});
  requests.add(document::ShowMeanOfHeads{false});
  return true;
}

}  // namespace app
