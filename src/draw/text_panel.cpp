#include "draw/panels.hpp"
#include "draw/widgets.hpp"
#include "lesson/formula.hpp"

namespace draw {

void text_panel(const Screen& screen) {
  const lesson::Step& step = lesson::step(screen.session.document().look.step);
  const std::string formula = lesson::formula_for(step, screen.session.attention().trace);
  const stage::Rect& place = screen.chrome.text;
  if (place.empty()) return;
  Widgets widgets(screen.theme, screen.type);
  begin_area("##text", place, screen.theme, Back::none, false);
  if (screen.chrome.form == stage::Form::embed) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::string title(step.title);
    set_text(list, screen.type.strong, 17.0F, {place.x, place.centre().y}, Align::left,
             packed(screen.theme.text), title);
    // Beside the title where there is room for all of it; a formula cut short would be a wrong one.
    const float used = measure(screen.type.strong, 17.0F, title).x + 24.0F;
    const float width = formula_width(screen.type.numbers, 12.0F, formula);
    if (used + width <= place.width) {
      set_formula(list, screen.type.numbers, 12.0F,
                  {place.right() - width, place.centre().y + 1.0F}, packed(screen.theme.quiet),
                  formula);
    }
    end_area();
    return;
  }
  const bool phone = screen.chrome.form == stage::Form::phone;
  widgets.words(step.title, screen.theme.text, phone ? 19.0F : 22.0F, true);
  // A measure of about ninety letters reads well; wider lines lose the eye on the way back.
  ImGui::PushTextWrapPos(0.0F);
  widgets.words(step.text, screen.theme.quiet, phone ? 12.5F : 13.5F);
  ImGui::PopTextWrapPos();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float size = phone ? 11.5F : 13.0F;
  if (formula_width(screen.type.numbers, size, formula) <= place.width &&
      at.y + size <= place.bottom() + 4.0F) {
    set_formula(ImGui::GetWindowDrawList(), screen.type.numbers, size, {at.x, at.y + 8.0F},
                packed(screen.theme.text), formula);
  }
  end_area();
}

}  // namespace draw
