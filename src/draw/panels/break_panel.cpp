#include "base/text.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "lesson/wording/mistake_text.hpp"

namespace draw {

using model::Mistake;

namespace {

constexpr float button_height = 30.0F;
constexpr float answer_height = 46.0F;  ///< above the list, where answers are seen at once

void sentence(const Screen& screen, Widgets& widgets, std::string_view text, bool strong = false) {
  widgets.words(text, screen.theme.text, 12.5F, strong);
}

/// The list of mistakes, with equal places for switching and guessing. The one that is switched on
/// is followed by what it does.
void list(const Screen& screen, Widgets& widgets, View& view, Requests& requests, bool guessing) {
  const Mistake made = screen.session.document().configuration.mistake;
  for (const lesson::MistakeText& text : lesson::mistake_texts()) {
    const std::string number = std::to_string(static_cast<int>(text.mistake));
    const std::string label(text.label());
    if (guessing) {
      if (widgets.answer(("guess " + number).c_str(), label)) requests.guess = text.mistake;
      continue;
    }
    const bool on = made == text.mistake;
    if (widgets.toggle(("mistake " + number).c_str(), label, on))
      requests.add(document::SetMistake{on ? Mistake::none : text.mistake});
    if (!on && ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) tooltip(text.text());
    if (!on) continue;
    sentence(screen, widgets, text.text());
    compare_control(screen, widgets, requests);
    // Below the edge of the panel nobody would look for it.
    const bool below = ImGui::GetItemRectMax().y > ImGui::GetWindowDrawList()->GetClipRectMax().y;
    if (view.explained != made && below) ImGui::SetScrollHereY(1.0F);
    Widgets::space(6.0F);
  }
  view.explained = made;
}

}  // namespace

void break_panel(const Screen& screen, View& view, Requests& requests) {
  Widgets widgets(screen.theme, screen.type);
  const document::Document& document = screen.session.document();
  const Mistake made = document.configuration.mistake;
  const bool guessing = document.view_state.guessing && made != Mistake::none;
  const float top = ImGui::GetCursorPosY();
  const char* key = guessing ? "draw.break.tell" : "draw.break.guess";
  if (widgets.chip(key, base::text(key), false, screen.theme.accent, button_height)) {
    if (guessing)
      requests.guess = Mistake::none;
    else
      requests.begin_guessing = true;
  }
  Widgets::same_line(12.0F);
  ImGui::BeginGroup();
  if (!view.guess_answer.empty())
    sentence(screen, widgets, view.guess_answer, true);
  else if (guessing)
    sentence(screen, widgets, base::text("draw.break.question"));
  ImGui::EndGroup();
  ImGui::SetCursorPosY(top + answer_height);
  list(screen, widgets, view, requests, guessing);
  if (!screen.session.has_task()) return;
  Widgets::space(6.0F);
  widgets.words(base::text("draw.break.training"), screen.theme.quiet, 12.5F);
}

model::Mistake shown_mistake(const document::Document& document) {
  return document.view_state.guessing ? Mistake::none : document.configuration.mistake;
}

}  // namespace draw
