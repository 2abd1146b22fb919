// The panel beside the stage or, without room for it, the sheets over the stage.
#include <algorithm>
#include <optional>
#include <string>

#include "base/text.hpp"
#include "draw/panels/focus/key_switch.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "draw/text/shaped_runs.hpp"

namespace draw {

namespace {

float sheet_width(const stage::Chrome& chrome) {
  return chrome.form == stage::Form::phone ? chrome.bar.width - 16.0F : 330.0F;
}

/// Where the inspector opens over the stage: in the half without the chosen cell. Empty if it has a
/// panel of its own or there is nothing to show.
std::optional<stage::Rect> inspector_sheet(const Screen& screen, const View& view) {
  const stage::Chrome& chrome = screen.chrome;
  if (!chrome.sheets || !chrome.panel.empty() || view.controls_open) return std::nullopt;
  if (!screen.session.document().view_state.cell) return std::nullopt;
  const float height = std::min(260.0F, chrome.stage.height * 0.62F);
  const float width = sheet_width(chrome);
  const float left = chrome.bar.right() - width - 8.0F;
  const bool low = view.pinned_place && view.pinned_place->centre().y > chrome.stage.centre().y;
  // Right below the bar, over the lists above the stage, only if it would otherwise cover the cell.
  const bool beside = low && view.pinned_place->right() < left;
  const float high = beside ? chrome.stage.y : chrome.bar.bottom() + 8.0F;
  return stage::Rect{left, low ? high : chrome.steps.y - height - 8.0F, width, height};
}

/// The part of the stage that is free for a message: left of the inspector, above it or below it.
stage::Rect room_for_message(const Screen& screen, const View& view) {
  constexpr float gap = 8.0F;
  constexpr float narrowest = 240.0F;
  const stage::Rect& stage = screen.chrome.stage;
  const std::optional<stage::Rect> sheet = inspector_sheet(screen, view);
  if (!sheet) return stage;
  const float left = sheet->x - gap - stage.x;
  if (left >= narrowest) return {stage.x, stage.y, left, stage.height};
  const float above = sheet->y - gap - stage.y;
  const float below = stage.bottom() - gap - sheet->bottom();
  if (above >= below) return {stage.x, stage.y, stage.width, above};
  return {stage.x, sheet->bottom() + gap, stage.width, below};
}

/// The bottom of that room, or its top if the message would cover the number that is being typed.
stage::Rect message_place(const stage::Rect& room, const View& view, float width, float height) {
  const stage::Rect bottom{room.centre().x - width / 2.0F, room.bottom() - height, width, height};
  if (!view.pinned_place) return bottom;
  constexpr float field = 32.0F;  // height of the field for a number
  const stage::Point cell = view.pinned_place->centre();
  const stage::Rect typed{room.x, cell.y - field / 2.0F, room.width, field};
  return bottom.overlaps(typed) ? stage::Rect{bottom.x, room.y, width, height} : bottom;
}

constexpr float offer_height = 28.0F;

/// A button in a message; its place is relative to where the buttons begin.
struct MessageButton {
  std::string label;
  stage::Point corner;
  std::optional<CellRef> cell;                ///< where it leads
  std::optional<document::EditCell> command;  ///< or what it does
};

/// Buttons for the cells that a message offers and, if the number that cannot be changed belongs to
/// a key, for hiding that key; in lines at most `room` wide.
std::vector<MessageButton> message_buttons(const Screen& screen, const View& view, float room) {
  const Widgets widgets(screen.theme, screen.type);
  std::vector<MessageButton> buttons;
  stage::Point corner;
  const auto add = [&](MessageButton button) {
    const float width = widgets.chip_width(button.label, offer_height);
    if (corner.x > 0.0F && corner.x + width > room) corner = {0.0F, corner.y + offer_height + 8.0F};
    button.corner = corner;
    buttons.push_back(std::move(button));
    corner.x += width + 8.0F;
  };
  const document::ComputedAttention& attention = screen.session.attention();
  for (const CellRef& cell : offered(view))
    add({address_text(attention, cell.tensor, cell.index), {}, cell, {}});
  const std::optional<CellRef>& chosen = screen.session.document().view_state.cell;
  if (buttons.empty() || !chosen) return buttons;
  if (const std::optional<KeySwitch> key = key_switch(attention, *chosen))
    add({std::string(base::text(key->words)), {}, {}, key->command});
  return buttons;
}

/// The inspector above the groups, in one card with a fixed place.
void panel(const Screen& screen, View& view, Requests& requests) {
  constexpr float around = 18.0F;
  const stage::Rect& place = screen.chrome.panel;
  begin_area("##panel", place, screen.theme, Back::frame);
  const bool page = screen.chrome.form == stage::Form::page;
  const float x = place.x + around;
  const float width = place.width - 2.0F * around;
  const float groups = page ? groups_height(screen, view, {x, place.y, width, place.height}) : 0.0F;
  const float bottom = place.bottom() - (page ? 6.0F : 10.0F) - groups;
  begin_pane("##inspector", {x, place.y + 14.0F, width, bottom - place.y - 18.0F});
  inspector(screen, view, requests);
  end_pane(screen.theme.surface);
  if (page) groups_panel(screen, view, requests, {x, bottom, width, groups});
  end_area();
}

}  // namespace

void side_panels(const Screen& screen, View& view, Requests& requests) {
  const stage::Chrome& chrome = screen.chrome;
  Widgets widgets(screen.theme, screen.type);
  if (!chrome.sheets) return;
  if (!chrome.panel.empty()) panel(screen, view, requests);
  if (chrome.form == stage::Form::page) return;
  if (view.controls_open) {
    const stage::Rect& place = chrome.controls;
    if (place.empty()) return;  // opened in this frame
    begin_area("##controls", place, screen.theme, Back::frame);
    if (!view.open_group) view.open_group = PanelGroup::settings;
    groups_panel(screen, view, requests,
                 {place.x + 18.0F, place.y + 6.0F, place.width - 36.0F, place.height - 12.0F});
    end_area();
    return;
  }
  const std::optional<stage::Rect> sheet = inspector_sheet(screen, view);
  if (!sheet) return;
  begin_area("##chosen", *sheet, screen.theme, Back::card);
  const ImVec2 start = ImGui::GetCursorPos();
  ImGui::SetCursorPos({sheet->width - 74.0F, 8.0F});
  if (widgets.text_button("draw.side.close")) requests.add(document::ChooseCell{});
  ImGui::SetCursorPos(start);
  inspector(screen, view, requests);
  end_area();
}

void message_panel(const Screen& screen, View& view, Requests& requests) {
  const bool wrong = !view.message.empty();
  const std::string& sentence = wrong ? view.message : view.notice.sentence();
  view.notice_pointed = false;
  if (sentence.empty()) return;
  Widgets widgets(screen.theme, screen.type);
  const stage::Rect room = room_for_message(screen, view);
  const float width = std::min(560.0F, room.width - 16.0F);
  ImGui::PushFont(screen.type.words, 13.5F);
  const float size = ImGui::GetFontSize();  // ImGui has rounded it
  ImGui::PopFont();
  const float line = width - 94.0F;
  const std::string set = with_runs(at_spaces(screen.type.words, size, sentence, line - 1.0F));
  const ImVec2 wrapped = screen.type.words->CalcTextSizeA(size, FLT_MAX, line, set.c_str());
  const std::vector<MessageButton> buttons = message_buttons(screen, view, width - 94.0F);
  const float offers = buttons.empty() ? 0.0F : buttons.back().corner.y + offer_height + 8.0F;
  const float words = std::max(wrapped.y, 30.0F);
  const float height = words + offers + 32.0F;
  const stage::Rect place = message_place(room, view, width, height);
  begin_area("##message", place, screen.theme, Back::card);
  ImGui::GetWindowDrawList()->AddRectFilled(
      {place.x + 10.0F, place.y + 12.0F}, {place.x + 13.0F, place.bottom() - 12.0F},
      packed(wrong ? screen.theme.wrong : screen.theme.line), 2.0F);
  ImGui::SetCursorPos({24.0F, 16.0F + (words - wrapped.y) / 2.0F});
  ImGui::PushTextWrapPos(width - 70.0F);
  ImGui::PushFont(screen.type.words, 13.5F);
  ImGui::TextUnformatted(set.c_str());
  ImGui::PopFont();
  ImGui::PopTextWrapPos();
  for (const MessageButton& button : buttons) {
    ImGui::SetCursorPos({24.0F + button.corner.x, 16.0F + words + 8.0F + button.corner.y});
    const bool pressed =
        widgets.chip(button.label.c_str(), button.label, false, screen.theme.accent, offer_height);
    if (pressed && button.command) requests.add(*button.command);
    if (pressed) requests.go_to = button.cell;
  }
  ImGui::SetCursorScreenPos({place.right() - 66.0F, place.y + 16.0F + words / 2.0F - 15.0F});
  if (widgets.text_button("draw.side.close")) wrong ? view.message.clear() : view.notice.clear();
  view.notice_pointed = !wrong && ImGui::IsWindowHovered() &&
                        ImGui::GetIO().MouseSource != ImGuiMouseSource_TouchScreen;
  end_area();
}

}  // namespace draw
