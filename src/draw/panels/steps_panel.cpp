#include <algorithm>
#include <array>
#include <cstdio>
#include <vector>

#include "base/text.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"

namespace draw {

namespace {

using stage::Point;
using stage::Rect;

void triangle(ImDrawList* list, Point at, float size, bool right, ImU32 colour) {
  const float tip = right ? size : -size;
  list->AddTriangleFilled({at.x - tip * 0.6F, at.y - size}, {at.x + tip, at.y},
                          {at.x - tip * 0.6F, at.y + size}, colour);
}

void chevron(ImDrawList* list, Point at, float size, bool right, ImU32 colour) {
  const float tip = right ? size * 0.5F : -size * 0.5F;
  const std::array<ImVec2, 3> points = {
      {{at.x - tip, at.y - size}, {at.x + tip, at.y}, {at.x - tip, at.y + size}}};
  list->AddPolyline(points.data(), 3, colour, ImDrawFlags_None, 2.0F);
}

/// Where the names of steps stand in the line of their dots.
enum class Names { under, above, none };

class Bar {
 public:
  Bar(const Screen& screen, const View& view, Requests& requests)
      : screen_(screen),
        theme_(screen.theme),
        view_(view),
        requests_(requests),
        place_(screen.chrome.steps),
        step_(screen.session.document().view_state.step),
        list_(ImGui::GetWindowDrawList()) {
    for (const lesson::Step& step : lesson::steps())
      if (step.id != map_step && view.offered_steps.has(step.id)) line_.push_back(&step);
  }

  /// A button of 32 x 32 pixels around `at`; returns whether it was pressed.
  bool button(const char* id, Point at, bool enabled = true) {
    ImGui::SetCursorScreenPos({at.x - 16.0F, at.y - 16.0F});
    ImGui::BeginDisabled(!enabled);
    const bool pressed = ImGui::InvisibleButton(id, {32.0F, 32.0F});
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    ImGui::EndDisabled();
    return pressed;
  }

  void neighbour(const char* id, Point at, bool right) {
    const auto to = right ? view_.offered_steps.after(step_) : view_.offered_steps.before(step_);
    if (button(id, at, to.has_value()) && to) go(*to);
    chevron(list_, at, 6.0F, right, packed(to ? theme_.text : theme_.line));
  }

  void play(Point at) {
    if (button("play", at)) requests_.play = true;
    const ImU32 colour = packed(theme_.text);
    list_->AddCircle(vec(at), 13.0F, packed(theme_.line), 0, 1.5F);
    if (view_.playing) {
      list_->AddRectFilled({at.x - 4.5F, at.y - 5.0F}, {at.x - 1.5F, at.y + 5.0F}, colour);
      list_->AddRectFilled({at.x + 1.5F, at.y - 5.0F}, {at.x + 4.5F, at.y + 5.0F}, colour);
    } else {
      triangle(list_, {at.x + 0.5F, at.y}, 5.5F, true, colour);
    }
  }

  /// Shows the speed; a click chooses the next of the possible speeds.
  void speed(Point at, View& view) {
    constexpr auto& speeds = play_speeds;
    if (button("speed", at)) {
      const auto now = std::find(speeds.begin(), speeds.end(), view.speed);
      view.speed = now == speeds.end() || now + 1 == speeds.end() ? speeds.front() : *(now + 1);
    }
    set_text(list_, screen_.type.numbers, 12.5F, at, Align::centre, packed(theme_.quiet),
             view.speed == 0.5F   ? "½×"
             : view.speed == 2.0F ? "2×"
                                  : "1×");
  }

  void go(lesson::StepId step) {
    requests_.add(document::ChooseStep{step});
    // Someone who changes the step while the lesson plays sees the new one from its beginning.
    if (view_.playing) requests_.add(document::SetProgress{0.0F});
  }

  /// The button for the map, which is not in the line of steps.
  void map(const Rect& at) {
    if (!view_.offered_steps.has(map_step)) return;
    ImGui::SetCursorScreenPos({at.x, at.y});
    if (ImGui::InvisibleButton("map", {at.width, at.height})) requests_.map = true;
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const bool here = is_map();
    const ImU32 edge = packed(here || hovered ? theme_.accent : theme_.line);
    list_->AddRect({at.x, at.y}, {at.right(), at.bottom()}, edge, 6.0F, ImDrawFlags_None,
                   here ? 2.0F : 1.0F);
    const bool keyed = at.width >= 68.0F;  // room for a hint at the key M
    const float y = at.centre().y;
    const float x = keyed ? at.x + 12.0F : at.centre().x;
    set_text(list_, here ? screen_.type.strong : screen_.type.words, 13.0F, {x, y},
             keyed ? Align::left : Align::centre, packed(theme_.text),
             base::text("draw.steps.map"));
    if (!keyed) return;
    set_text(list_, screen_.type.numbers, 11.5F, {at.right() - 16.0F, y}, Align::centre,
             packed(theme_.quiet), base::text("draw.steps.map_key"));
  }

  /// Above the dots there is one row: where all names do not fit beside each other, only the chosen
  /// step has its name.
  void line(float y, float first, float last, Names names) {
    if (line_.empty()) return;
    const float gap =
        (last - first) / static_cast<float>(std::max<std::size_t>(line_.size(), 2) - 1);
    const auto x_of = [&](std::size_t i) { return first + gap * static_cast<float>(i); };
    list_->AddLine({first, y}, {x_of(line_.size() - 1), y}, packed(theme_.line), 2.0F);
    const auto is_done = [this](const lesson::Step* step) { return step->id <= step_; };
    const auto done_until =
        static_cast<std::size_t>(std::count_if(line_.begin(), line_.end(), is_done));
    if (!is_map() && done_until > 0)
      list_->AddLine({first, y}, {x_of(done_until - 1), y}, packed(theme_.accent), 2.0F);
    const float type = names == Names::under ? 12.5F : 12.0F;
    const bool all =
        names == Names::under || (names == Names::above && widest_name(type) + 8.0F <= gap);
    for (std::size_t i = 0; i < line_.size(); ++i) {
      const lesson::Step& step = *line_[i];
      const float x = x_of(i);
      const float above = names == Names::above && all ? 22.0F : 16.0F;
      ImGui::SetCursorScreenPos({x - gap / 2.0F, y - above});
      const std::string id = "step " + std::string(step.name);
      const float under = names == Names::under ? place_.bottom() - y - 4.0F : 16.0F;
      if (ImGui::InvisibleButton(id.c_str(), {gap, above + under})) go(step.id);
      const bool hovered = ImGui::IsItemHovered();
      if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      const bool here = step.id == step_;
      const bool done = i < done_until && !is_map();
      const float radius = here ? 7.0F : names == Names::none ? 4.0F : 5.0F;
      list_->AddCircleFilled({x, y}, radius, packed(done ? theme_.accent : theme_.surface));
      list_->AddCircle({x, y}, radius, packed(done || hovered ? theme_.accent : theme_.line), 0,
                       2.0F);
      if (!all && (!here || names == Names::none)) continue;
      const float half = measure(screen_.type.strong, type, step.label()).x / 2.0F;
      const Point centre{std::min(x, place_.right() - 16.0F - half),
                         names == Names::under ? y + 21.0F : y - 15.0F};
      set_text(list_, here ? screen_.type.strong : screen_.type.words, type, centre, Align::centre,
               packed(here || hovered ? theme_.text : theme_.quiet), step.label());
    }
  }

  /// A phone's second row: the names of the neighbouring steps, with this step between them. Steps
  /// have no numbers: all that is numbered counts from 0, and the dots above show where one is.
  void names(float y, float margin) {
    const auto named = [&](const char* id, lesson::StepId step, bool right) {
      const std::string label(lesson::step(step).label());
      const float width = measure(screen_.type.words, 14.0F, label).x + 28.0F;
      const float x = right ? place_.right() - margin - width : place_.x + margin;
      ImGui::SetCursorScreenPos({x, y - 18.0F});
      if (ImGui::InvisibleButton(id, {width, 36.0F})) go(step);
      chevron(list_, {right ? x + width - 7.0F : x + 7.0F, y}, 5.0F, right, packed(theme_.quiet));
      set_text(list_, screen_.type.words, 14.0F, {right ? x + width - 20.0F : x + 20.0F, y},
               right ? Align::right : Align::left, packed(theme_.quiet), label);
    };
    if (const auto before = view_.offered_steps.before(step_)) named("previous", *before, false);
    if (const auto after = view_.offered_steps.after(step_)) named("next", *after, true);
    const std::string_view here = lesson::step(step_).label();
    const float width = measure(screen_.type.strong, 14.0F, here).x;
    const float left = place_.centre().x - (width + 38.0F) / 2.0F;
    play({left + 13.0F, y});
    set_text(list_, screen_.type.strong, 14.0F, {left + 38.0F, y}, Align::left, packed(theme_.text),
             here);
  }

 private:
  float widest_name(float type) const {
    float widest = 0.0F;
    for (const lesson::Step* step : line_)
      widest = std::max(widest, measure(screen_.type.strong, type, step->label()).x);
    return widest;
  }

  static constexpr lesson::StepId map_step = lesson::StepId::overview;
  bool is_map() const { return step_ == map_step; }

  const Screen& screen_;
  const Theme& theme_;
  const View& view_;
  Requests& requests_;
  const stage::Rect& place_;
  lesson::StepId step_;
  std::vector<const lesson::Step*> line_;  ///< all that are offered but the map
  ImDrawList* list_;
};

/// The slider for the step's progress, along the upper edge of the step bar.
void progress_slider(const Screen& screen, Requests& requests, View& view) {
  const stage::Rect& steps = screen.chrome.steps;
  const Theme& theme = screen.theme;
  const float margin = screen.chrome.form == stage::Form::page ? 24.0F : 16.0F;
  const stage::Rect place{steps.x, steps.y - 10.0F, steps.width, 20.0F};
  begin_area("##scrub", place, theme, Back::none);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float first = place.x + margin;
  const float length = std::max(1.0F, place.width - 2.0F * margin);
  ImGui::SetCursorScreenPos({first - 8.0F, place.y});
  ImGui::InvisibleButton("scrub", {length + 16.0F, place.height});
  const bool active = ImGui::IsItemActive();
  const bool hovered = ImGui::IsItemHovered();
  view.scrubbing = active;
  if (hovered || active) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  float progress = screen.session.document().view_state.progress;
  if (active) {
    const float to = std::clamp((ImGui::GetIO().MousePos.x - first) / length, 0.0F, 1.0F);
    view.playing = false;
    if (to != progress) requests.add(document::SetProgress{to});
    progress = to;
  }
  const float y = steps.y + 0.5F;
  list->AddLine({place.x, y}, {place.right(), y}, packed(theme.border), 1.0F);
  list->AddLine({first, y}, {first + length, y}, packed(theme.line), 3.0F);
  list->AddLine({first, y}, {first + length * progress, y}, packed(theme.accent), 3.0F);
  const float radius = hovered || active ? 7.0F : 5.5F;
  list->AddCircleFilled({first + length * progress, y}, radius, packed(theme.accent));
  list->AddCircle({first + length * progress, y}, radius + 1.0F, packed(theme.surface), 0, 2.0F);
  end_area();
}

}  // namespace

void steps_panel(const Screen& screen, View& view, Requests& requests) {
  const stage::Rect& place = screen.chrome.steps;
  if (place.empty()) return;
  const bool phone = screen.chrome.form == stage::Form::phone;
  const bool page = screen.chrome.form == stage::Form::page;
  progress_slider(screen, requests, view);  // first, as later areas are drawn behind it
  begin_area("##steps", place, screen.theme, Back::surface);
  Bar bar(screen, view, requests);
  const float margin = page ? 24.0F : 16.0F;
  const float y = phone ? place.y + 22.0F : page ? place.y + 26.0F : place.centre().y + 6.0F;
  if (phone && place.height < stage::least_steps_of_two_rows) {
    bar.names(place.centre().y + 2.0F, margin);
  } else if (phone) {
    const Rect map{place.right() - margin - 52.0F, y - 14.0F, 52.0F, 28.0F};
    bar.line(y, place.x + margin + 16.0F, map.x - 24.0F, Names::none);
    bar.map(map);
    bar.names(place.y + 52.0F, margin);
  } else {
    const float first = place.x + margin;
    bar.neighbour("previous", {first + 8.0F, y}, false);
    bar.play({first + 44.0F, y});
    bar.neighbour("next", {first + 80.0F, y}, true);
    bar.speed({first + 114.0F, y}, view);
    const float width = page ? 76.0F : 56.0F;
    // Leave room on the right, where the page puts its button for embedding.
    const Rect map{place.right() - margin - 36.0F - width, y - 15.0F, width, 30.0F};
    bar.line(y, first + 176.0F, map.x - 44.0F, page ? Names::under : Names::above);
    bar.map(map);
  }
  end_area();
}

}  // namespace draw
