#include "draw/panels/widgets.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "draw/text/shaped_runs.hpp"
#include "imgui_internal.h"  // GetActiveID

namespace draw {

namespace {

constexpr float chip_size = 12.5F;  ///< type size on a chip

ImVec4 vec4(Rgb colour, float opacity = 1.0F) {
  return {colour.red, colour.green, colour.blue, opacity};
}

}  // namespace

void apply_style(const Theme& theme) {
  ImGuiStyle& style = ImGui::GetStyle();
  style.WindowRounding = 10.0F;
  style.WindowBorderSize = 1.0F;
  style.WindowPadding = {0.0F, 0.0F};
  style.WindowMinSize = {1.0F, 1.0F};
  style.FrameRounding = 6.0F;
  style.FrameBorderSize = 1.0F;
  // Drop-downs are as high as chips and segments.
  style.FramePadding = {list_padding, (28.0F - list_letters) / 2.0F};
  style.PopupRounding = 8.0F;
  style.PopupBorderSize = 1.0F;
  style.ItemSpacing = {8.0F, 6.0F};
  style.ScrollbarSize = 8.0F;
  style.ScrollbarRounding = 4.0F;
  ImVec4* colours = style.Colors;
  colours[ImGuiCol_Text] = vec4(theme.text);
  colours[ImGuiCol_TextDisabled] = vec4(theme.quiet);
  colours[ImGuiCol_WindowBg] = vec4(theme.surface);
  colours[ImGuiCol_PopupBg] = vec4(theme.surface);
  colours[ImGuiCol_ChildBg] = vec4(theme.surface, 0.0F);
  colours[ImGuiCol_Border] = vec4(theme.border);
  colours[ImGuiCol_FrameBg] = vec4(theme.page);
  colours[ImGuiCol_FrameBgHovered] = vec4(theme.page);
  colours[ImGuiCol_FrameBgActive] = vec4(theme.surface);
  colours[ImGuiCol_Header] = vec4(theme.border);
  colours[ImGuiCol_HeaderHovered] = vec4(theme.border);
  colours[ImGuiCol_HeaderActive] = vec4(theme.border);
  colours[ImGuiCol_Button] = vec4(theme.surface, 0.0F);
  colours[ImGuiCol_ButtonHovered] = vec4(theme.border);
  colours[ImGuiCol_ButtonActive] = vec4(theme.border);
  colours[ImGuiCol_ScrollbarBg] = vec4(theme.surface, 0.0F);
  colours[ImGuiCol_ScrollbarGrab] = vec4(theme.line);
  colours[ImGuiCol_ScrollbarGrabHovered] = vec4(theme.quiet);
  colours[ImGuiCol_ScrollbarGrabActive] = vec4(theme.quiet);
  colours[ImGuiCol_TextSelectedBg] = vec4(theme.negative, 0.35F);
  colours[ImGuiCol_InputTextCursor] = vec4(theme.text);
}

void begin_area(const char* id, const stage::Rect& place, const Theme& theme, Back back,
                bool takes_input) {
  ImGui::SetNextWindowPos({place.x, place.y});
  ImGui::SetNextWindowSize({place.width, place.height});
  ImGuiWindowFlags flags = ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                           ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav |
                           // A message that comes while somebody types must not take the letters.
                           ImGuiWindowFlags_NoFocusOnAppearing;
  // Cards may be brought to the front by a click, but bars and panels must stay behind them.
  if (back == Back::none || back == Back::surface) flags |= ImGuiWindowFlags_NoBringToFrontOnFocus;
  if (back == Back::none) flags |= ImGuiWindowFlags_NoBackground;
  if (!takes_input) flags |= ImGuiWindowFlags_NoInputs;
  const bool bordered = back == Back::card || back == Back::frame;
  if (back == Back::frame) flags |= ImGuiWindowFlags_NoScrollWithMouse;
  if (back == Back::card) {
    flags &= ~ImGuiWindowFlags_NoScrollbar;
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{18.0F, 16.0F});
  } else {
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{0.0F, 0.0F});
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, bordered ? 1.0F : 0.0F);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, bordered ? 10.0F : 0.0F);
  ImGui::PushStyleColor(ImGuiCol_WindowBg, packed(theme.surface));
  ImGui::Begin(id, nullptr, flags);
}

void end_area() {
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar(3);
}

void begin_pane(const char* id, const stage::Rect& place) {
  ImGui::SetCursorScreenPos({place.x, place.y});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, 0);
  ImGui::BeginChild(
      id, {place.width, place.height}, ImGuiChildFlags_None,
      ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoNav);
}

void end_pane(const Rgb& behind) {
  const float fade = std::min(20.0F, ImGui::GetWindowHeight() * 0.06F);
  if (ImGui::GetScrollY() + 1.0F < ImGui::GetScrollMaxY()) {
    const ImVec2 low = ImGui::GetWindowPos();
    const ImVec2 size = ImGui::GetWindowSize();
    const ImU32 clear = packed(behind, 0.0F);
    const ImU32 full = packed(behind);
    // Beside the bar that scrolls.
    ImGui::GetWindowDrawList()->AddRectFilledMultiColor(
        {low.x, low.y + size.y - fade},
        {low.x + size.x - ImGui::GetStyle().ScrollbarSize, low.y + size.y}, clear, clear, full,
        full);
  }
  ImGui::EndChild();
  ImGui::PopStyleColor();
}

bool is_pointed_at() {
  return ImGui::IsItemHovered() && ImGui::GetIO().MouseSource != ImGuiMouseSource_TouchScreen;
}

std::vector<std::string> texts(std::initializer_list<std::string_view> keys) {
  std::vector<std::string> found;
  for (const std::string_view key : keys) found.emplace_back(base::text(key));
  return found;
}

void tooltip(std::string_view words) {
  constexpr float widest_line = 340.0F;
  const float line = std::min(widest_line, ImGui::GetIO().DisplaySize.x - 40.0F);
  const std::string set = at_spaces(ImGui::GetFont(), ImGui::GetFontSize(), words, line);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{8.0F, 6.0F});
  ImGui::SetTooltip("%s", with_runs(set).c_str());
  ImGui::PopStyleVar();
}

float Widgets::button_width(const char* key) const {
  return measure(type_.strong, button_type, base::text(key)).x + 2.0F * around_button;
}

bool Widgets::text_button(const char* key, bool enabled, bool chosen, Face face) {
  if (face == Face::flat && ImGui::GetCursorPosX() == ImGui::GetCursorStartPos().x)
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() - around_button);
  ImGui::BeginDisabled(!enabled);
  const bool pressed = ImGui::InvisibleButton(key, {button_width(key), 30.0F});
  const bool hovered = ImGui::IsItemHovered();
  ImGui::EndDisabled();
  const ImVec2 low = ImGui::GetItemRectMin();
  const ImVec2 high = ImGui::GetItemRectMax();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool stands_out = hovered || chosen;
  if (stands_out || (face == Face::raised && enabled)) {
    // A flat one at the beginning of a line begins left of what the window shows.
    const ImVec2 clip = list->GetClipRectMin();
    list->PushClipRect({std::min(clip.x, low.x), clip.y}, list->GetClipRectMax());
    list->AddRectFilled({low.x, low.y + 2.0F}, {high.x - 2.0F, high.y - 2.0F},
                        packed(theme_.border, stands_out ? 1.0F : 0.5F), 6.0F);
    list->PopClipRect();
  }
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  set_text(list, type_.strong, button_type,
           {(low.x + high.x - 2.0F) / 2.0F, (low.y + high.y) / 2.0F}, Align::centre,
           packed(enabled ? theme_.text : theme_.quiet, enabled ? 1.0F : 0.5F), base::text(key));
  return pressed;
}

float Widgets::chip_width(std::string_view label, float height) const {
  return std::max(height + 2.0F, measure(type_.strong, chip_size, label).x + 20.0F);
}

bool Widgets::chip(const char* id, std::string_view label, bool chosen, Rgb hue, float height) {
  const float width = chip_width(label, height);
  const bool pressed = ImGui::InvisibleButton(id, {width, height});
  const ImVec2 low = ImGui::GetItemRectMin();
  const ImVec2 high = ImGui::GetItemRectMax();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const Rgb face = chosen ? hue : hovered ? mixed(theme_.surface, hue, 0.15F) : theme_.surface;
  list->AddRectFilled(low, high, packed(face), 7.0F);
  list->AddRect({low.x + 0.75F, low.y + 0.75F}, {high.x - 0.75F, high.y - 0.75F}, packed(hue), 6.5F,
                0, 1.5F);
  set_text(list, type_.strong, chip_size, {(low.x + high.x) / 2.0F, (low.y + high.y) / 2.0F},
           Align::centre, packed(text_on(face)), label);
  return pressed;
}

float Widgets::width_of(const std::vector<std::string>& labels) const {
  float total = 0.0F;
  for (const std::string& label : labels) total += segment_width(label);
  return total;
}

float Widgets::segment_width(const std::string& label) const {
  return measure(type_.strong, segment_type, label).x + 20.0F;
}

std::optional<std::size_t> Widgets::segments(const char* id, const std::vector<std::string>& labels,
                                             int chosen, float height) {
  std::optional<std::size_t> pressed;
  ImGui::PushID(id);
  const ImVec2 start = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(start, {start.x + width_of(labels), start.y + height}, packed(theme_.border),
                      7.0F);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (i > 0) ImGui::SameLine(0.0F, 0.0F);
    ImGui::PushID(static_cast<int>(i));
    if (ImGui::InvisibleButton("segment", {segment_width(labels[i]), height})) pressed = i;
    ImGui::PopID();
    const ImVec2 low = ImGui::GetItemRectMin();
    const ImVec2 high = ImGui::GetItemRectMax();
    const bool on = static_cast<int>(i) == chosen;
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (on) {
      list->AddRectFilled({low.x + 2.0F, low.y + 2.0F}, {high.x - 2.0F, high.y - 2.0F},
                          packed(theme_.surface), 5.5F);
    }
    set_text(list, on ? type_.strong : type_.words, segment_type,
             {(low.x + high.x) / 2.0F, (low.y + high.y) / 2.0F}, Align::centre,
             packed(on ? theme_.text : mixed(theme_.text, theme_.quiet, 0.5F)), labels[i]);
  }
  ImGui::PopID();
  return pressed;
}

bool Widgets::toggle(const char* id, std::string_view label, bool on) {
  constexpr float size = 13.0F;
  const stage::Point extent = measure(type_.words, size, label);
  const bool pressed = ImGui::InvisibleButton(id, {44.0F + extent.x, 26.0F});
  const ImVec2 low = ImGui::GetItemRectMin();
  const float middle = (low.y + ImGui::GetItemRectMax().y) / 2.0F;
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({low.x, middle - 9.0F}, {low.x + 34.0F, middle + 9.0F},
                      packed(on ? theme_.accent : theme_.line), 9.0F);
  list->AddCircleFilled({low.x + (on ? 25.0F : 9.0F), middle}, 6.5F, packed(theme_.surface));
  set_text(list, type_.words, size, {low.x + 43.0F, middle}, Align::left, packed(theme_.text),
           label);
  return pressed;
}

bool Widgets::answer(const char* id, std::string_view label) {
  constexpr float size = 13.0F;
  const stage::Point extent = measure(type_.words, size, label);
  const bool pressed = ImGui::InvisibleButton(id, {44.0F + extent.x, 26.0F});
  const ImVec2 low = ImGui::GetItemRectMin();
  const float middle = (low.y + ImGui::GetItemRectMax().y) / 2.0F;
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 circle{low.x + 17.0F, middle};
  list->AddCircle(circle, 7.0F, packed(theme_.accent), 0, 1.5F);
  if (hovered) list->AddCircleFilled(circle, 4.0F, packed(theme_.accent));
  set_text(list, type_.words, size, {low.x + 43.0F, middle}, Align::left, packed(theme_.text),
           label);
  return pressed;
}

std::optional<std::size_t> Widgets::open_list(const std::vector<std::string>& labels, int chosen,
                                              float row) const {
  std::optional<std::size_t> pressed;
  const bool touched = ImGui::GetIO().MouseSource == ImGuiMouseSource_TouchScreen;
  int moved = chosen + (ImGui::IsKeyPressed(ImGuiKey_DownArrow) ? 1 : 0) -
              (ImGui::IsKeyPressed(ImGuiKey_UpArrow) ? 1 : 0);
  if (ImGui::IsKeyPressed(ImGuiKey_Home)) moved = 0;
  if (ImGui::IsKeyPressed(ImGuiKey_End)) moved = static_cast<int>(labels.size()) - 1;
  if (moved != chosen && moved >= 0 && moved < static_cast<int>(labels.size()))
    pressed = static_cast<std::size_t>(moved);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    const bool here = static_cast<int>(i) == chosen;
    // ImGui still reports the last touch as the pointer's place, which must not look pointed at.
    const ImU32 pointed = packed(theme_.border, touched && !here ? 0.0F : 1.0F);
    ImGui::PushStyleColor(ImGuiCol_HeaderHovered, pointed);
    if (ImGui::Selectable(with_runs(labels[i]).c_str(), here, 0,
                          {0.0F, row - ImGui::GetStyle().ItemSpacing.y}))
      pressed = i;
    ImGui::PopStyleColor();
    if (static_cast<int>(i) == moved && (moved != chosen || ImGui::IsWindowAppearing()))
      ImGui::SetScrollHereY();
  }
  // Wait for the keys to be released: if a key closed the list already when pressed, the stage
  // would react to the same key.
  if (ImGui::IsKeyReleased(ImGuiKey_Escape) || ImGui::IsKeyReleased(ImGuiKey_Enter) ||
      ImGui::IsKeyReleased(ImGuiKey_Space))
    ImGui::CloseCurrentPopup();
  ImGui::EndCombo();
  return pressed;
}

std::optional<std::size_t> Widgets::drop_down(const char* id,
                                              const std::vector<std::string>& labels, int chosen,
                                              float width) {
  std::optional<std::size_t> pressed;
  const ImGuiStyle& style = ImGui::GetStyle();
  // Fingers need larger rows than a mouse. The list may take most of the screen's height.
  const bool touched = ImGui::GetIO().MouseSource == ImGuiMouseSource_TouchScreen;
  const float row = touched ? 42.0F : 26.0F;
  const float most = std::min(16.0F * row, ImGui::GetIO().DisplaySize.y * 0.7F);
  ImGui::SetNextWindowSizeConstraints({0.0F, 0.0F}, {FLT_MAX, most + 16.0F});
  ImGui::SetNextItemWidth(width);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2{8.0F, 8.0F});
  ImGui::PushStyleVar(ImGuiStyleVar_SelectableTextAlign, ImVec2{0.0F, 0.5F});
  ImGui::PushFont(type_.words, list_letters);
  constexpr float chevron_room = 30.0F;
  const std::string preview =
      chosen >= 0 && chosen < static_cast<int>(labels.size())
          ? fitting(type_.words, list_letters, labels[static_cast<std::size_t>(chosen)],
                    width - style.FramePadding.x - chevron_room)
          : "";
  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetFrameHeight();
  const bool open =
      ImGui::BeginCombo(id, with_runs(preview).c_str(), ImGuiComboFlags_NoArrowButton);
  if (!open && ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (open) pressed = open_list(labels, chosen, row);
  const ImVec2 tip{corner.x + width - 15.0F, corner.y + height / 2.0F + 2.0F};
  const ImVec2 chevron[3] = {{tip.x - 4.0F, tip.y - 4.0F}, tip, {tip.x + 4.0F, tip.y - 4.0F}};
  ImGui::GetWindowDrawList()->AddPolyline(chevron, 3, packed(theme_.quiet), 0, 1.5F);
  ImGui::PopFont();
  ImGui::PopStyleVar(2);
  return pressed;
}

void Widgets::heading(std::string_view text) {
  words(text, theme_.quiet, 12.0F, true);
  space(2.0F);
}

std::string at_spaces(ImFont* font, float size, std::string_view text, float width) {
  std::string lines;
  float x = 0.0F;
  const float space = measure(font, size, " ").x;
  while (true) {
    const std::size_t end = text.find_first_of(" \n");
    const std::string_view word = text.substr(0, end);
    const float wide = measure(font, size, word).x;
    if (x > 0.0F && x + wide > width) {
      lines.back() = '\n';
      x = 0.0F;
    }
    lines += word;
    if (end == std::string_view::npos) return lines;
    lines += text[end];
    x = text[end] == '\n' ? 0.0F : x + wide + space;
    text.remove_prefix(end + 1);
  }
}

void Widgets::paragraph(ImFont* font, std::string_view text, Rgb colour, float size) {
  ImGui::PushFont(font, size);
  ImGui::PushStyleColor(ImGuiCol_Text, packed(colour));
  ImGui::PushTextWrapPos(0.0F);
  // ImGui has rounded the size.
  const std::string set =
      with_runs(at_spaces(font, ImGui::GetFontSize(), text, ImGui::GetContentRegionAvail().x));
  ImGui::TextUnformatted(set.data(), set.data() + set.size());
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
  ImGui::PopFont();
}

void Widgets::words(std::string_view text, Rgb colour, float size, bool strong) {
  paragraph(strong ? type_.strong : type_.words, text, colour, size);
}

void Widgets::numbers(std::string_view text, Rgb colour, float size, bool strong) {
  paragraph(strong ? type_.strong_numbers : type_.numbers, text, colour, size);
}

std::string equations_apart(ImFont* font, float size, std::string_view formula, float width) {
  if (formula_width(font, size, formula) <= width) return std::string(formula);
  constexpr std::string_view between = ",   ";
  std::string lines;
  while (!formula.empty()) {
    const std::size_t end = std::min(formula.find(between), formula.size());
    const std::string_view part = formula.substr(0, end);
    // "v likewise" is no equation: it stays behind the one that it is about.
    const bool is_equation = part.find(" = ") != std::string_view::npos;
    if (!lines.empty()) lines += is_equation ? "\n" : between;
    lines += part;
    formula.remove_prefix(std::min(formula.size(), end + between.size()));
  }
  return lines;
}

void Widgets::formula(std::string_view text, Rgb colour, float size) {
  const float room = ImGui::GetContentRegionAvail().x;
  const std::string lines = equations_apart(type_.numbers, size, text, room);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{8.0F, 2.0F});
  for (std::size_t begin = 0; begin <= lines.size();) {
    const std::size_t end = std::min(lines.find('\n', begin), lines.size());
    const std::string_view line = std::string_view(lines).substr(begin, end - begin);
    begin = end + 1;
    const float width = formula_width(type_.numbers, size, line);
    if (width > room) {
      numbers(line, colour, size);
      continue;
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    set_formula(ImGui::GetWindowDrawList(), type_.numbers, size, {at.x, at.y + size / 2.0F + 2.0F},
                packed(colour), line);
    ImGui::Dummy({width, size + 2.0F});
  }
  ImGui::PopStyleVar();
  space(4.0F);
}

void Widgets::rule() {
  space(6.0F);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddLine(at, {at.x + ImGui::GetContentRegionAvail().x, at.y},
                                      packed(theme_.border));
  space(8.0F);
}

void Widgets::same_line(float gap) { ImGui::SameLine(0.0F, gap); }
void Widgets::space(float height) {
  // ImGui adds its own spacing after every item.
  ImGui::Dummy({1.0F, std::max(0.0F, height - ImGui::GetStyle().ItemSpacing.y)});
}

}  // namespace draw
