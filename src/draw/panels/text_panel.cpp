#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "lesson/steps/formula.hpp"
#include "model/trace.hpp"
#include "stage/focus/step_cell.hpp"

namespace draw {

namespace {

constexpr std::string_view between_formulas = ",   ";

constexpr std::string_view set_in = "   ";

/// Where the first line of a formula ends that is too long for one: between two formulas, or else
/// before a sign, as late as `fits` says of what stands before it. 0: nowhere.
template <typename Fits>
std::size_t end_of_line(const std::string& text, const Fits& fits) {
  std::size_t end = text.find(between_formulas);
  if (end != std::string::npos && fits(text.substr(0, end + 1))) return end + 1;
  end = 0;
  for (const std::string_view sign : {" = ", " / ", " + ", " · ", " × "}) {
    std::size_t place = text.find(sign, set_in.size());
    for (; place != std::string::npos; place = text.find(sign, place + 1)) {
      if (place > end && fits(text.substr(0, place))) end = place;
    }
  }
  return end;
}

/// The lines under the words, as many as there is room for: what is cut short would be wrong.
class Lines {
 public:
  Lines(const Screen& screen, float y)
      : screen_(screen),
        place_(screen.chrome.text),
        size_(screen.chrome.form == stage::Form::phone ? 11.5F : 13.0F),
        y_(y) {}

  /// In several lines where it is too long for one: all of it, or nothing.
  void formula(std::string text) {
    std::vector<std::string> parts;
    while (!fits_across(text, size_)) {
      const std::size_t end =
          end_of_line(text, [this](const std::string& part) { return fits_across(part, size_); });
      if (end == 0) return;
      parts.push_back(text.substr(0, end));
      const std::size_t next = text.find_first_not_of(' ', end);
      // A formula of its own begins as the first did; what goes on is set in.
      text = std::string(text[end - 1] == ',' ? "" : set_in) + text.substr(next);
    }
    parts.push_back(std::move(text));
    if (!fits_below(size_, parts.size())) return;
    for (const std::string& part : parts) line(part, screen_.theme.text, size_);
  }

  /// The same with the numbers of one cell, with as many terms as fit.
  void numbers() {
    const document::ComputedAttention& attention = screen_.session.attention();
    const CellRef& cell = screen_.focus.cell;
    const model::Explanation made = model::explain(attention.trace, cell.tensor, cell.index);
    for (const std::size_t terms : {8U, 6U, 4U, 3U, 2U}) {
      if (line(stage::worked(attention, made, terms), screen_.theme.text, size_ - 0.5F)) return;
    }
  }

  /// Pointed at, it says what the letters mean.
  void shapes() {
    const float middle = y_;
    const std::string text =
        stage::shapes_of(screen_.session.attention(), screen_.session.document().view_state);
    if (!line(text, screen_.theme.quiet, size_ - 1.0F)) return;
    const bool pointed = !ImGui::GetIO().WantCaptureMouse &&
                         ImGui::IsMouseHoveringRect({place_.x, middle - size_},
                                                    {place_.right(), middle + size_}, false);
    if (pointed) tooltip(stage::axis_words(text));
  }

 private:
  bool fits_across(const std::string& text, float size) const {
    return formula_width(screen_.type.numbers, size, text) <= place_.width;
  }
  bool fits_below(float size, std::size_t lines) const {
    const float last = y_ + static_cast<float>(lines - 1) * (size + between_lines);
    return last + size * 0.5F <= place_.bottom() + 2.0F;
  }

  bool line(const std::string& text, Rgb colour, float size) {
    if (!fits_across(text, size) || !fits_below(size, 1)) return false;
    set_formula(ImGui::GetWindowDrawList(), screen_.type.numbers, size, {place_.x, y_},
                packed(colour), text);
    y_ += size + between_lines;
    return true;
  }

  static constexpr float between_lines = 6.0F;

  const Screen& screen_;
  const stage::Rect& place_;
  float size_;
  float y_;
};

}  // namespace

void text_panel(const Screen& screen) {
  const lesson::Step& step = lesson::step(screen.session.document().view_state.step);
  const document::ViewState& view_state = screen.session.document().view_state;
  // Who guesses is shown what should be done.
  const std::string formula =
      lesson::formula_for(step, screen.session.attention().trace, view_state.guessing);
  const stage::Rect& place = screen.chrome.text;
  if (place.empty()) return;
  Widgets widgets(screen.theme, screen.type);
  begin_area("##text", place, screen.theme, Back::none, false);
  if (screen.chrome.form == stage::Form::embed) {
    ImDrawList* list = ImGui::GetWindowDrawList();
    const std::string title(step.title);
    set_text(list, screen.type.strong, 17.0F, {place.x, place.centre().y}, Align::left,
             packed(screen.theme.text), title);
    // Beside the title where there is room for all of it, or of two for the first; a formula cut
    // short would be a wrong one.
    const float used = measure(screen.type.strong, 17.0F, title).x + 24.0F;
    for (const std::string& shown : {formula, formula.substr(0, formula.find(between_formulas))}) {
      const float width = formula_width(screen.type.numbers, 12.0F, shown);
      if (used + width > place.width) continue;
      set_formula(list, screen.type.numbers, 12.0F,
                  {place.right() - width, place.centre().y + 1.0F}, packed(screen.theme.quiet),
                  shown);
      break;
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
