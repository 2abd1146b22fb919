#include "draw/panels.hpp"
#include "draw/widgets.hpp"

namespace draw {

namespace {

void triangle(ImDrawList* list, stage::Point at, float size, bool right, ImU32 colour) {
  const float tip = right ? size : -size;
  list->AddTriangleFilled({at.x - tip * 0.6F, at.y - size}, {at.x + tip, at.y},
                          {at.x - tip * 0.6F, at.y + size}, colour);
}

}  // namespace

void steps_panel(const Screen& screen, Requests& requests) {
  const stage::Rect& place = screen.chrome.steps;
  const Theme& theme = screen.theme;
  const auto steps = lesson::steps();
  const auto current = static_cast<std::size_t>(screen.session.document().look.step);
  const bool phone = screen.chrome.form == stage::Form::phone;
  const bool page = screen.chrome.form == stage::Form::page;
  begin_area("##steps", place, theme, Back::surface);
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddLine({place.x, place.y + 0.5F}, {place.right(), place.y + 0.5F}, packed(theme.border));

  const float line = phone ? place.y + 22.0F : page ? place.y + 24.0F : place.centre().y + 6.0F;
  const float margin = page ? 24.0F : 16.0F;
  const auto arrow = [&](const char* id, float x, bool right) {
    const bool enabled = right ? current + 1 < steps.size() : current > 0;
    ImGui::SetCursorScreenPos({x - 16.0F, line - 16.0F});
    ImGui::BeginDisabled(!enabled);
    const bool pressed = ImGui::InvisibleButton(id, {32.0F, 32.0F});
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    ImGui::EndDisabled();
    triangle(list, {x, line}, 6.5F, right, packed(enabled ? theme.text : theme.line));
    if (pressed) requests.add(document::ChooseStep{steps[right ? current + 1 : current - 1].id});
  };
  float first = place.x + margin + 24.0F;
  float last = place.right() - margin - 24.0F;
  if (page || !phone) {
    arrow("previous", place.x + margin + 8.0F, false);
    arrow("next", place.x + margin + 44.0F, true);
    first = place.x + margin + 104.0F;
    last = place.right() - margin - 40.0F;
  }
  const float gap = (last - first) / static_cast<float>(steps.size() - 1);
  const auto x_of = [&](std::size_t i) { return first + gap * static_cast<float>(i); };
  list->AddLine({first, line}, {last, line}, packed(theme.line), 2.0F);
  list->AddLine({first, line}, {x_of(current), line}, packed(theme.accent), 2.0F);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const float x = x_of(i);
    ImGui::SetCursorScreenPos({x - gap / 2.0F, line - 16.0F});
    const std::string id = "step " + std::to_string(i);
    if (ImGui::InvisibleButton(id.c_str(), {gap, page ? place.bottom() - line + 12.0F : 32.0F})) {
      requests.add(document::ChooseStep{steps[i].id});
    }
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const float radius = i == current ? 7.0F : phone ? 4.0F : 5.0F;
    list->AddCircleFilled({x, line}, radius, packed(i <= current ? theme.accent : theme.surface));
    list->AddCircle({x, line}, radius, packed(i <= current || hovered ? theme.accent : theme.line),
                    0, 2.0F);
    if (page) {
      set_text(list, i == current ? screen.type.strong : screen.type.words, 12.5F,
               {x, line + 21.0F}, Align::centre,
               packed(i == current || hovered ? theme.text : theme.quiet), steps[i].label);
    }
  }
  if (!page && !phone) {
    // No room for all names: the chosen one's, above its dot.
    const float width = measure(screen.type.strong, 12.0F, steps[current].label).x;
    const float x = std::min(x_of(current), place.right() - margin - width / 2.0F);
    set_text(list, screen.type.strong, 12.0F, {x, line - 16.0F}, Align::centre, packed(theme.text),
             steps[current].label);
  }
  if (phone) {
    const float y = place.y + 52.0F;
    const auto named = [&](const char* id, std::size_t step, bool right) {
      const std::string label(steps[step].label);
      const float width = measure(screen.type.words, 14.0F, label).x + 28.0F;
      const float x = right ? place.right() - margin - width : place.x + margin;
      ImGui::SetCursorScreenPos({x, y - 18.0F});
      if (ImGui::InvisibleButton(id, {width, 36.0F}))
        requests.add(document::ChooseStep{steps[step].id});
      triangle(list, {right ? x + width - 7.0F : x + 7.0F, y}, 5.5F, right, packed(theme.quiet));
      set_text(list, screen.type.words, 14.0F, {right ? x + width - 20.0F : x + 20.0F, y},
               right ? Align::right : Align::left, packed(theme.quiet), label);
    };
    if (current > 0) named("previous", current - 1, false);
    if (current + 1 < steps.size()) named("next", current + 1, true);
    const std::string here = std::string(steps[current].label) + "  " +
                             std::to_string(current + 1) + " / " + std::to_string(steps.size());
    set_text(list, screen.type.strong, 14.0F, {place.centre().x, y}, Align::centre,
             packed(theme.text), here);
  }
  end_area();
}

}  // namespace draw
