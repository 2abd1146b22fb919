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

constexpr float mistake_type = 13.0F;
constexpr float around_mistake = 60.0F;  // the switch before its words, and the gap behind them

/// Switches of mistakes, the choice of q, k or v, and that of matrices or figure, from left to
/// right as far as there is room. The latter come first when room is given away.
class ViewPanel {
 public:
  ViewPanel(const Screen& screen, Requests& requests)
      : screen_(screen),
        view_state_(screen.session.document().view_state),
        requests_(requests),
        widgets_(screen.theme, screen.type),
        phone_(screen.chrome.form == stage::Form::phone),
        projections_(follows_one(view_state_.step)),
        either_(screen.composition.either && !screen.composition.figure.empty()),
        views_{std::string(screen.composition.other), std::string(screen.composition.figure)} {
    wanted_ = (projections_ ? widgets_.width_of(letters_) : 0.0F) +
              (projections_ && either_ ? gap() : 0.0F);
    // If both segments do not fit, one that switches the figure on and off is enough.
    if (either_ && wanted_ + widgets_.width_of(views_) > place_.width) views_.erase(views_.begin());
    if (either_) wanted_ += widgets_.width_of(views_);
    // In the guessing game the switch would give the mistake away. Without room here for any, the
    // controls have them.
    if (!view_state_.guessing) offer_mistakes();
  }

  void draw() {
    if (place_.empty() || (!projections_ && !either_ && switches_.empty())) return;
    begin_area("##view", place_, screen_.theme, Back::none);
    // Aligned to the right, so that buttons keep their place when one on the left disappears.
    ImGui::SetCursorScreenPos({std::max(place_.x, place_.right() - wanted_), place_.y});
    put_switches();
    if (projections_) put_projections();
    if (either_) put_views();
    end_area();
  }

 private:
  struct Switch {
    model::Mistake mistake;
    std::string label;
    std::string tip;
  };

  float height() const { return phone_ ? 32.0F : 28.0F; }
  float gap() const { return phone_ ? 8.0F : 12.0F; }
  float width_of(std::string_view label) const {
    return measure(screen_.type.words, mistake_type, label).x + around_mistake;
  }
  static std::string name_of(model::Mistake mistake) {
    return base::text("draw.view.mistake", {{"mistake", lesson::text_of(mistake).label()}});
  }

  /// Adds a switch if there is room for it.
  void offer(model::Mistake mistake, std::string_view label, std::string_view tip = "") {
    const float width = width_of(label);
    if (wanted_ + width > place_.width) return;
    wanted_ += width;
    switches_.push_back({mistake, std::string(label), std::string(tip)});
  }

  void offer_mistakes() {
    const std::vector<model::Mistake> offered = offered_mistakes(screen_);
    const float without = wanted_;
    for (const model::Mistake mistake : offered) offer(mistake, name_of(mistake));
    // Several that do not fit each with the word “mistake” stand behind one.
    if (switches_.size() < offered.size()) {
      wanted_ = without;
      switches_.clear();
      float needed = heading_width();
      for (const model::Mistake mistake : offered)
        needed += width_of(lesson::text_of(mistake).label());
      headed_ = without + needed <= place_.width;
      if (headed_) wanted_ += heading_width();
      for (const model::Mistake mistake : offered)
        offer(mistake, headed_ ? lesson::text_of(mistake).label() : name_of(mistake));
    }
    // Not even the first: under a short name.
    if (switches_.empty() && !offered.empty())
      offer(offered.front(), base::text("draw.view.mistake.brief"), name_of(offered.front()));
  }

  static std::string_view heading() { return base::text("draw.view.mistakes"); }
  float heading_width() const {
    return measure(screen_.type.words, mistake_type, heading()).x + 10.0F;
  }

  void put_switches() {
    if (headed_) {
      const float left = place_.right() - wanted_;
      set_text(ImGui::GetWindowDrawList(), screen_.type.words, mistake_type,
               {left, place_.y + 13.0F}, Align::left, packed(screen_.theme.quiet), heading());
      ImGui::SetCursorScreenPos({left + heading_width(), place_.y});
    }
    for (const auto& [mistake, label, tip] : switches_) {
      const bool on = screen_.session.document().configuration.mistake == mistake;
      const std::string id = "mistake " + std::to_string(static_cast<int>(mistake));
      if (widgets_.toggle(id.c_str(), label, on))
        requests_.add(document::SetMistake{on ? model::Mistake::none : mistake});
      if (!tip.empty() && ImGui::IsItemHovered(ImGuiHoveredFlags_ForTooltip)) tooltip(tip);
      Widgets::same_line(16.0F);
    }
  }

  void put_projections() {
    const auto chosen = static_cast<int>(view_state_.projection);
    if (const auto pressed = widgets_.segments("projection", letters_, chosen, height()))
      requests_.add(document::ChooseProjection{static_cast<document::Projection>(*pressed)});
    Widgets::same_line(gap());
  }

  void put_views() {
    const std::size_t figure = views_.size() - 1;
    const bool alone = figure == 0;
    const bool shown = screen_.composition.shows_figure;
    const int chosen = static_cast<int>(figure) - (shown ? 0 : 1);
    if (const auto pressed = widgets_.segments("show", views_, chosen, height())) {
      const bool show = alone ? !shown : *pressed == figure;
      requests_.add(document::ChooseShow{show ? document::Show::figure : document::Show::matrices});
    }
  }

  const Screen& screen_;
  const document::ViewState& view_state_;
  Requests& requests_;
  Widgets widgets_;
  const stage::Rect& place_ = screen_.chrome.view;
  bool phone_;
  bool projections_;
  bool either_;
  const std::vector<std::string> letters_ = {"Q", "K", "V"};
  std::vector<std::string> views_;
  std::vector<Switch> switches_;
  bool headed_ = false;  ///< the word “mistakes” stands before the switches
  float wanted_ = 0.0F;  ///< the width of all of it
};

}  // namespace

void view_panel(const Screen& screen, Requests& requests) { ViewPanel(screen, requests).draw(); }

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
