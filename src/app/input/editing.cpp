// Typing a number into a cell.
#include <algorithm>

#include "app/app.hpp"
#include "app/input/pressed.hpp"
#include "base/text.hpp"
#include "document/given_behind.hpp"
#include "document/learning/target.hpp"
#include "draw/panels/widgets.hpp"
#include "imgui.h"
#include "imgui_internal.h"
#include "imgui_stdlib.h"
#include "model/roles.hpp"
#include "stage/scene/number_text.hpp"

namespace app {

bool App::refuses_edit() {
  const document::CellRef& cell = *chosen();
  const document::ComputedAttention& attention = session_.attention();
  if (document::is_editable(attention, cell.tensor) || targeted(cell)) return false;
  const std::string_view name = model::name_of(cell.tensor);
  view_.offer = {};
  if (cell.tensor.is_gradient()) {
    view_.message = base::text("app.edit.gradient", {{"tensor", name}});
    return true;
  }
  if (model::operation_of(cell.tensor) == &ops::position) {
    view_.message = base::text("app.edit.position", {{"tensor", name}});
    return true;
  }
  for (const document::CellAddress& given :
       document::given_behind(session_.computed(), {attention.id, cell.tensor, cell.index})) {
    if (given.attention == attention.id) view_.offer.cells.push_back({given.tensor, given.index});
  }
  const bool may_have_target = document::targeted(attention, cell).has_value();
  view_.message = view_.offer.cells.empty() ? base::text("app.edit.computed", {{"tensor", name}})
                  : may_have_target         ? base::text("app.edit.output_from", {{"tensor", name}})
                                    : base::text("app.edit.computed_from", {{"tensor", name}});
  view_.offer.message = view_.message;
  return true;
}

std::string App::message() const {
  const std::vector<document::CellRef> offered = draw::offered(view_);
  if (offered.empty()) return view_.message;
  std::string cells;
  for (const document::CellRef& each : offered) {
    const std::string cell = stage::address_text(session_.attention(), each.tensor, each.index);
    if (cells.empty())
      cells = cell;
    else if (&each != &offered.back())
      cells = base::text("document.list.more", {{"list", cells}, {"next", cell}});
    else
      cells = base::text("app.edit.last_cell", {{"cells", cells}, {"last", cell}});
  }
  return base::text("app.edit.computed_from_cells", {{"message", view_.message}, {"cells", cells}});
}

float App::number_in(const document::CellRef& cell) const {
  // From the trace: the stage may show numbers of the frame before, or differences.
  if (const auto own = targeted(cell)) {
    if (const auto target = document::target_of(session_.document().configuration, *own))
      return *target;
  }
  const model::Trace& trace = session_.attention().trace;
  return trace.has(cell.tensor) ? trace[cell.tensor].at(cell.index) : 0.0F;
}

std::string App::typed_text() {
  std::string text;
  for (const ImWchar typed : ImGui::GetIO().InputQueueCharacters) {
    char utf8[5];
    ImTextCharToUtf8(utf8, typed);
    text += utf8;
  }
  return text;
}

void App::begin_editing(const std::string& text) {
  if (!chosen() || refuses_edit()) return;
  view_.editing = true;
  view_.edit_starts = true;
  view_.select_all = text.empty();
  view_.edit_text = text;
  if (text.empty()) {
    view_.edit_text = stage::number_for_editing(number_in(*chosen()));
  }
}

bool App::commit_edit() {
  const document::CellAddress cell{session_.attention().id, chosen()->tensor, chosen()->index};
  float value = 0.0F;
  if (!stage::parse_number(view_.edit_text, value)) {
    const bool mask = cell.tensor == model::roles::mask;
    view_.message = base::text(mask ? "app.edit.no_mask_number" : "app.edit.no_number",
                               {{"typed", view_.edit_text}});
  } else if (perform(command_to_set(cell, value))) {
    view_.editing = false;
    return true;
  }
  // Keep the field open with what was typed, so that it can be corrected.
  view_.edit_starts = true;
  view_.select_all = true;
  return false;
}

void App::edit_next(int by) {
  const auto place = place_of(chosen());
  if (!place) return;
  const stage::Block& block = stage_.blocks[place->block];
  const auto next = static_cast<long>(place->row * block.columns() + place->column) + by;
  if (next < 0 || next >= static_cast<long>(block.rows() * block.columns())) return;
  const auto cell = static_cast<std::size_t>(next);
  choose(document::CellRef{block.tensor,
                           block.index_of(cell / block.columns(), cell % block.columns())});
  begin_editing();
}

bool App::edit_key() {
  const ImGuiIO& io = ImGui::GetIO();
  if (pressed(ImGuiKey_Escape)) {
    view_.editing = false;
    view_.message.clear();
    return true;
  }
  if ((io.KeyCtrl || io.KeySuper) && ImGui::IsKeyPressed(ImGuiKey_V, false)) {
    // Several numbers are pasted into cells, not into the field.
    const std::string text = pasted_text();
    if (!is_block(text)) return false;
    view_.editing = false;
    paste(text);
    return true;
  }
  if (pressed(ImGuiKey_Tab)) {
    if (commit_edit()) edit_next(io.KeyShift ? -1 : 1);
    return true;
  }
  if (enter_pressed()) {
    commit_edit();
    return true;
  }
  const int rows = (pressed(ImGuiKey_DownArrow) ? 1 : 0) - (pressed(ImGuiKey_UpArrow) ? 1 : 0);
  if (rows == 0) return false;
  if (commit_edit()) move_chosen(rows, 0);
  return true;
}

void App::edit_box() {
  if (!view_.editing) return;
  const auto place = place_of(chosen());
  if (!place) {
    view_.editing = false;
    return;
  }
  // The field receives no keys before it has the focus, so keep what is typed until then.
  if (view_.edit_starts && !typed_text().empty()) {
    view_.edit_text = (view_.select_all ? std::string() : view_.edit_text) + typed_text();
    view_.select_all = false;
  }
  if (edit_key()) return;
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
  // No navigation by ImGui: Tab is handled above.
  ImGui::Begin("##edit", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoBackground);
  ImGui::SetNextItemWidth(width);
  ImGui::PushFont(type_.numbers, 14.0F);
  ImGui::PushStyleColor(ImGuiCol_Border, draw::packed(theme().accent));
  ImGui::PushStyleColor(ImGuiCol_FrameBg, draw::packed(theme().surface));
  const bool left = number_field();
  ImGui::PopStyleColor(2);
  ImGui::PopFont();
  ImGui::End();
  ImGui::PopStyleVar(2);
  if (left) commit_edit();
}

bool App::number_field() {
  const ImGuiID id = ImGui::GetID("##number");
  const bool starts = std::exchange(view_.edit_starts, false);
  if (starts) {
    // SetKeyboardFocusHere would take effect two frames later; what is typed until then would be
    // lost.
    ImGuiContext& context = *ImGui::GetCurrentContext();
    if (context.ActiveId == id) ImGui::ClearActiveID();
    context.InputTextState.ID = 0;  // or ImGui would reuse the text of the cell before
    context.NavActivateId = id;
    context.NavActivateFlags = ImGuiActivateFlags_PreferInput;
    ImGui::GetIO().InputQueueCharacters.resize(0);  // already in the text
    request_frame();
  }
  ImGui::InputText("##number", &view_.edit_text, ImGuiInputTextFlags_EnterReturnsTrue);
  if (!starts) return ImGui::IsItemDeactivated();
  ImGuiInputTextState* state = ImGui::GetInputTextState(id);
  if (state != nullptr && !view_.select_all) state->ReloadUserBufAndMoveToEnd();
  return false;
}

}  // namespace app
