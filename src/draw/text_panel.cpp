#include "draw/panels.hpp"
#include "draw/widgets.hpp"
#include "draw/worked.hpp"
#include "lesson/formula.hpp"

namespace draw {

namespace {

/// The lines under the words, as many as there is room for: what is cut short would be wrong.
class Lines {
 public:
  Lines(const Screen& screen, float y)
      : screen_(screen),
        place_(screen.chrome.text),
        size_(screen.chrome.form == stage::Form::phone ? 11.5F : 13.0F),
        y_(y) {}

  void formula(const std::string& text) { line(text, screen_.theme.text, size_); }

  /// The same with the numbers of one cell, with as many terms as fit.
  void numbers() {
    const document::ComputedAttention& attention = screen_.session.attention();
    const document::Look& look = screen_.session.document().look;
    const CellRef cell = worked_cell(attention, look, screen_.explained);
    for (const std::size_t terms : {8U, 6U, 4U, 3U, 2U}) {
      if (line(worked(attention, cell, terms), screen_.theme.text, size_ - 0.5F)) return;
    }
  }

  void shapes() {
    line(shapes_of(screen_.session.attention(), screen_.session.document().look),
         screen_.theme.quiet, size_ - 1.0F);
  }

 private:
  bool line(const std::string& text, Rgb colour, float size) {
    if (formula_width(screen_.type.numbers, size, text) > place_.width ||
        y_ + size * 0.5F > place_.bottom() + 2.0F) {
      return false;
    }
    set_formula(ImGui::GetWindowDrawList(), screen_.type.numbers, size, {place_.x, y_},
                packed(colour), text);
    y_ += size + 6.0F;
    return true;
  }

  const Screen& screen_;
  const stage::Rect& place_;
  float size_;
  float y_;
};

}  // namespace

void text_panel(const Screen& screen) {
  const lesson::Step& step = lesson::step(screen.session.document().look.step);
  const document::Look& look = screen.session.document().look;
  // Who guesses is shown what should be done.
  attention::Trace trace = screen.session.attention().trace;
  if (look.guessing) trace.interventions.mistake = attention::Mistake::none;
  const std::string formula = lesson::formula_for(step, trace);
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
  Lines lines(screen, ImGui::GetCursorScreenPos().y + 8.0F);
  lines.formula(formula);
  lines.numbers();
  lines.shapes();
  end_area();
}

}  // namespace draw
