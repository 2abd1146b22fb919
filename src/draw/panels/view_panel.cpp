#include <algorithm>

#include "base/text.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "lesson/wording/mistake_text.hpp"

namespace draw {

namespace {

/// Whether the step shows only one of q, k and v.
bool follows_one(lesson::StepId step) {
  return step == lesson::StepId::project || step == lesson::StepId::split ||
         step == lesson::StepId::transpose;
}

/// Those of the step; before them the one that is made, so that it can be switched off in every
/// step.
std::vector<model::Mistake> offered_mistakes(const Screen& screen) {
  const auto of_step = lesson::mistakes_in(screen.session.document().view_state.step);
  std::vector<model::Mistake> offered(of_step.begin(), of_step.end());
  const model::Mistake made = shown_mistake(screen.session.document());
  const bool here = std::find(offered.begin(), offered.end(), made) != offered.end();
  if (made != model::Mistake::none && !here) offered.insert(offered.begin(), made);
  return offered;
}

}  // namespace

void view_panel(const Screen& screen, Requests& requests) {
  const stage::Rect& place = screen.chrome.view;
  const document::ViewState& view_state = screen.session.document().view_state;
  const bool projections = follows_one(view_state.step);
  const bool either = screen.composition.either && !screen.composition.figure.empty();
  const document::Configuration& configuration = screen.session.document().configuration;
  const bool phone = screen.chrome.form == stage::Form::phone;
  const float height = phone ? 32.0F : 28.0F;
  Widgets widgets(screen.theme, screen.type);
  const std::vector<std::string> letters = {"Q", "K", "V"};
  std::vector<std::string> views = {std::string(screen.composition.other),
                                    std::string(screen.composition.figure)};
  const float gap = phone ? 8.0F : 12.0F;
  const float others =
      (projections ? widgets.width_of(letters) : 0.0F) + (projections && either ? gap : 0.0F);
  // If both segments do not fit, one that switches the figure on and off is enough.
  if (either && others + widgets.width_of(views) > place.width) views.erase(views.begin());
  float wanted = others + (either ? widgets.width_of(views) : 0.0F);
  // In the guessing game the switch would give the mistake away. Without room here for any, not
  // even for the first under a short name, the controls have them.
  struct Switch {
    model::Mistake mistake;
    std::string label;
    std::string tip;
  };
  std::vector<Switch> mistakes;
  const auto offer = [&](model::Mistake mistake, std::string_view label, std::string_view tip) {
    const float width = measure(screen.type.words, 13.0F, label).x + 60.0F;
    if (view_state.guessing || wanted + width > place.width) return false;
    wanted += width;
    mistakes.push_back({mistake, std::string(label), std::string(tip)});
    return true;
  };
  const auto name_of = [](model::Mistake mistake) {
    return base::text("draw.view.mistake", {{"mistake", lesson::text_of(mistake).label()}});
  };
  const std::vector<model::Mistake> of_step = offered_mistakes(screen);
  for (const model::Mistake mistake : of_step) offer(mistake, name_of(mistake), "");
  // Several that do not fit each with the word “mistake” stand behind one.
  const std::string_view heading = base::text("draw.view.mistakes");
  const float heading_width = measure(screen.type.words, 13.0F, heading).x + 10.0F;
  bool headed = false;
  if (mistakes.size() < of_step.size() && !view_state.guessing) {
    float needed = heading_width;
    for (const model::Mistake mistake : of_step)
      needed += measure(screen.type.words, 13.0F, lesson::text_of(mistake).label()).x + 60.0F;
    for (const Switch& one : mistakes)
      wanted -= measure(screen.type.words, 13.0F, one.label).x + 60.0F;
    headed = wanted + needed <= place.width;
    mistakes.clear();
    if (headed) wanted += heading_width;
    for (const model::Mistake mistake : of_step)
      offer(mistake, headed ? lesson::text_of(mistake).label() : name_of(mistake), "");
  }
  if (mistakes.empty() && !of_step.empty())
    offer(of_step.front(), base::text("draw.view.mistake.brief"), name_of(of_step.front()));
  if (place.empty() || (!projections && !either && mistakes.empty())) return;
  begin_area("##view", place, screen.theme, Back::none);
  // Aligned to the right, so that buttons keep their place when one on the left disappears.
  ImGui::SetCursorScreenPos({std::max(place.x, place.right() - wanted), place.y});
  if (headed) {
    set_text(ImGui::GetWindowDrawList(), screen.type.words, 13.0F,
             {place.right() - wanted, place.y + 13.0F}, Align::left, packed(screen.theme.quiet),
             heading);
    ImGui::SetCursorScreenPos({place.right() - wanted + heading_width, place.y});
  }
  for (const auto& [mistake, label, tip] : mistakes) {
    const bool on = configuration.mistake == mistake;
    const std::string id = "mistake " + std::to_string(static_cast<int>(mistake));
    if (widgets.toggle(id.c_str(), label, on))
      requests.add(document::SetMistake{on ? model::Mistake::none : mistake});
    if (!tip.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) tooltip(tip);
    Widgets::same_line(16.0F);
  }
  if (projections) {
    const auto chosen = static_cast<int>(view_state.projection);
    if (const auto pressed = widgets.segments("projection", letters, chosen, height))
      requests.add(document::ChooseProjection{static_cast<document::Projection>(*pressed)});
    Widgets::same_line(gap);
  }
  if (either) {
    const std::size_t figure = views.size() - 1;
    const bool alone = figure == 0;
    const bool shown = screen.composition.shows_figure;
    const int chosen = static_cast<int>(figure) - (shown ? 0 : 1);
    if (const auto pressed = widgets.segments("show", views, chosen, height)) {
      const bool show = alone ? !shown : *pressed == figure;
      requests.add(document::ChooseShow{show ? document::Show::figure : document::Show::matrices});
    }
  }
  end_area();
}

void legend_panel(const Screen& screen, bool of_weights, Requests& requests) {
  const stage::Rect& place = screen.chrome.legend;
  if (place.empty()) return;
  begin_area("##legend", place, screen.theme, Back::none);
  const bool pressed = ImGui::InvisibleButton("scale", {place.width, place.height});
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  const document::ViewState& view_state = screen.session.document().view_state;
  const char* key = nullptr;
  if (of_weights) {
    if (pressed) requests.add(document::ScaleWeightsToOne{!view_state.weights_to_one});
    key = view_state.weights_to_one ? "draw.legend.tip.to_one" : "draw.legend.tip.to_largest";
  } else {
    if (pressed) requests.add(document::ShareScale{!view_state.shared_scale});
    key = view_state.shared_scale ? "draw.legend.tip.shared" : "draw.legend.tip.own";
  }
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) tooltip(base::text(key));
  end_area();
}

}  // namespace draw
