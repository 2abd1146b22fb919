#include "draw/panels.hpp"
#include "draw/widgets.hpp"

namespace draw {

void text_panel(const Screen& screen) {
  const lesson::Step& step = lesson::step(screen.session.document().look.step);
  const stage::Rect& place = screen.chrome.text;
  Widgets widgets(screen.theme, screen.type);
  begin_area("##text", place, screen.theme, Back::none, false);
  if (screen.chrome.form == stage::Form::embed) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::string title(step.title);
    set_text(list, screen.type.strong, 17.0F, {place.x, place.centre().y}, Align::left, packed(screen.theme.text), title);
    const float used = measure(screen.type.strong, 17.0F, title).x + 20.0F;
    const std::string formula = fitting(screen.type.numbers, 12.0F, step.formula, place.width - used);
    set_text(list, screen.type.numbers, 12.0F, {place.right(), place.centre().y + 1.0F}, Align::right,
             packed(screen.theme.quiet), formula);
    end_area();
    return;
  }
  const bool phone = screen.chrome.form == stage::Form::phone;
  widgets.words(step.title, screen.theme.text, phone ? 19.0F : 22.0F, true);
  // A measure of about ninety letters reads well; wider lines lose the eye on the way back.
  ImGui::PushTextWrapPos(0.0F);
  widgets.words(step.text, screen.theme.quiet, phone ? 12.5F : 13.5F);
  ImGui::PopTextWrapPos();
  if (!phone) widgets.numbers(step.formula, screen.theme.text, 13.0F);
  end_area();
}

}  // namespace draw
