// Training, where the example has a task: the task, play, what is answered to the sequence on
// screen, the loss curve with a slider over the steps, a film strip of one heat map, and the heat
// maps of all heads now.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "base/text.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/training/answers_table.hpp"
#include "draw/panels/training/heat_maps.hpp"
#include "draw/panels/training/loss_curve.hpp"
#include "draw/panels/widgets.hpp"
#include "stage/wording/training_words.hpp"

namespace draw {

namespace {

using document::TrainingRun;
using stage::Form;
using stage::Point;
using stage::Rect;

constexpr float between = HeatMaps::between;
constexpr float row_height = 30.0F;
constexpr float least_left = 310.0F;  // of the column with numbers and answers
constexpr float most_left = 0.44F;    // of the panel's width
constexpr float line_type = 12.5F;
constexpr float link_arrow = 14.0F;  // the room that it takes behind its words

class TrainingPanel {
 public:
  TrainingPanel(const Screen& screen, View& view, Requests& requests)
      : screen_(screen),
        view_(view),
        theme_(screen.theme),
        session_(screen.session),
        run_(*screen.session.training_run()),
        words_(stage::training_words(screen.session)),
        answers_(screen, words_.sequence),
        maps_(screen),
        requests_(requests),
        widgets_(screen.theme, screen.type),
        list_(ImGui::GetWindowDrawList()) {}

  void draw(const Rect& place) {
    if (is_column()) {
      column(place);
      return;
    }
    buttons({place.x, place.y, place.width, row_height});
    Rect rest = place;
    rest.y += row_height;
    rest.height -= row_height;
    if (screen_.chrome.form != Form::phone) {
      const float wide =
          std::clamp(answers_.width(), least_left, std::max(least_left, place.width * most_left));
      numbers({rest.x, rest.y, wide, rest.height});
      rest.x += wide + between;
      rest.width -= wide + between;
    } else {
      const Rect row = taken(rest, 15.0F);
      const Rect next_row = taken(rest, 16.0F);
      line(row, screen_.type.strong, theme_.text, words_.step);
      const float from = row.x + measure(screen_.type.strong, line_type, words_.step).x + between;
      const std::string all =
          words_.accuracy[0] + "  " + words_.accuracy[1] + "  " + words_.accuracy[2];
      if (from + measure(screen_.type.words, line_type, all).x <= row.right()) {
        line({from, row.y, row.right() - from, row.height}, screen_.type.words, theme_.quiet, all);
        task(next_row, Align::left);
      } else {
        line(next_row, screen_.type.words, theme_.quiet, all);
      }
      constexpr float table = 3.0F * 16.0F;
      if (rest.height >= table + 60.0F) {
        rest.y += 2.0F;
        answers_.draw(list_, taken(rest, table + 2.0F));
      }
    }
    maps_.draw(list_, rest);
    rest.width -= maps_.width(rest.height);
    rest = beside_axis(rest);
    const bool film = rest.height >= 88.0F;
    const float thumb = film ? std::min(34.0F, rest.height * 0.3F) : 0.0F;
    const Rect curve{rest.x, rest.y + 4.0F, rest.width,
                     rest.height - thumb - (film ? 8.0F : 0.0F) - 6.0F};
    if (film) strip({rest.x, rest.bottom() - thumb, rest.width, thumb});
    this->curve(rest, curve);
  }

 private:
  /// The upper part of `rest`, which loses it.
  static Rect taken(Rect& rest, float height) {
    const Rect upper{rest.x, rest.y, rest.width, height};
    rest.y += height;
    rest.height -= height;
    return upper;
  }

  static Rect beside_axis(Rect place) {
    place.x += loss_axis_width;
    place.width -= loss_axis_width;
    return place;
  }

  bool is_column() const { return screen_.chrome.stage.right() < screen_.chrome.training.x; }

  /// Beside the stage, everything stands below each other: the maps at the bottom, and the curve
  /// takes what is left.
  void column(const Rect& place) {
    constexpr float row_of_text = 18.0F;
    constexpr float least_curve = 64.0F;
    buttons({place.x, place.y, place.width, row_height});
    Rect rest = place;
    taken(rest, row_height + 4.0F);
    line(taken(rest, row_of_text), screen_.type.strong, theme_.text, words_.step);
    ImFont* font = screen_.type.words;
    const std::string& task = words_.task;
    const auto* end = task.data() + task.size();
    const float task_height =
        font->CalcTextSizeA(line_type, FLT_MAX, rest.width, task.data(), end).y + 4.0F;
    const float beside_maps = accuracy_width();
    const auto shown = static_cast<float>(maps_.count());
    const float maps =
        std::min((rest.width - beside_maps) / shown - between, rest.height * 0.22F) + row_of_text;
    const auto has_room = [&](float height) { return rest.height - maps - height >= least_curve; };
    if (has_room(task_height)) {
      const Rect lines = taken(rest, task_height);
      list_->AddText(font, line_type, {lines.x, lines.y}, packed(theme_.text), task.data(), end,
                     rest.width);
    }
    constexpr float table = 3.0F * 16.0F + 8.0F;
    if (has_room(row_of_text + table)) {
      next_sequence(taken(rest, row_of_text), table);
      answers_.draw(list_, taken(rest, table));
    }
    const Rect bottom{rest.x, rest.bottom() - maps, rest.width, maps};
    const float width = maps_.width(maps);
    maps_.draw(list_, {rest.x, bottom.y, width - between, maps});
    accuracy({rest.x + width, bottom.y, beside_maps, maps});
    rest.height -= maps + 10.0F;
    rest = beside_axis(rest);
    const Rect curve{rest.x, rest.y + 4.0F, rest.width - 1.0F, rest.height - 8.0F};
    this->curve(rest, curve);
  }

  /// The number of steps at the right end of the curve.
  std::size_t last_step() const {
    const std::size_t whole = run_.settings().steps;
    const std::size_t wanted = session_.document().configuration.training.steps;
    const std::size_t reached = std::max(run_.reached(), wanted);
    return std::max(whole, (reached + whole - 1) / whole * whole);
  }

  void buttons(const Rect& place) {
    ImGui::SetCursorScreenPos({place.x, place.y});
    const bool busy = session_.plays_training();
    if (play_button(busy)) requests_.train = true;
    Widgets::same_line(2.0F);
    if (widgets_.text_button("draw.training.step", run_.failure().empty()))
      requests_.train_step = true;
    Widgets::same_line(0.0F);
    if (widgets_.text_button("draw.training.restart")) requests_.restart_training = true;
    if (is_column()) return;
    Widgets::same_line(0.0F);
    if (ImGui::GetCursorScreenPos().x + widgets_.button_width("draw.training.next_sequence") <=
            place.right() &&
        widgets_.text_button("draw.training.next_sequence"))
      requests_.next_sequence = true;
    if (screen_.chrome.form != Form::phone) {
      Widgets::same_line(between);
      const float x = ImGui::GetCursorScreenPos().x;
      const bool page = screen_.chrome.form == Form::page;
      const float right = page ? settings_link(place) : place.right();
      task({x, place.y, right - between - x, row_height}, Align::left);
    }
  }

  void line(const Rect& row, ImFont* font, Rgb colour, const std::string& text) {
    set_text(list_, font, line_type, {row.x, row.centre().y}, Align::left, packed(colour),
             fitting(font, line_type, text, row.width));
  }

  float accuracy_width() const {
    float widest = 0.0F;
    for (const std::string& each : words_.accuracy)
      widest = std::max(widest, measure(screen_.type.words, AnswersTable::type, each).x);
    return widest;
  }

  static constexpr std::size_t held_out_line = 1;  // of words_.accuracy

  /// How good the network is, beside the maps.
  void accuracy(const Rect& place) {
    float y = place.y + 8.0F;
    for (const std::string& each : words_.accuracy) {
      set_text(list_, screen_.type.words, AnswersTable::type, {place.x, y}, Align::left,
               packed(theme_.quiet), each);
      if (&each == &words_.accuracy[held_out_line] && !each.empty())
        dots(place.x, y + 8.0F, measure(screen_.type.words, AnswersTable::type, each).x);
      y += 17.0F;
    }
    explain(place);
  }

  /// Pressed, this line and the sequence under it bring the next one.
  void next_sequence(const Rect& row, float under) {
    ImGui::SetCursorScreenPos({row.x, row.y});
    if (ImGui::InvisibleButton("next", {row.width, row.height + under}))
      requests_.next_sequence = true;
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    link({row.x, row.y, 0.0F, row.height}, base::text("draw.training.next_sequence"), hovered);
  }

  /// Dots under a text of this width, as under words that have an explanation.
  void dots(float x, float y, float width) const {
    constexpr float step = 3.0F;
    const int count = static_cast<int>(width / step);
    for (int i = 0; i < count; ++i) {
      const float at = x + step * static_cast<float>(i);
      list_->AddRectFilled({at, y}, {at + 1.0F, y + 1.0F}, packed(theme_.quiet));
    }
  }

  /// Says what held-out means where the pointer is on such a number.
  void explain(const Rect& place) const {
    if (ImGui::IsWindowHovered() &&
        ImGui::IsMouseHoveringRect({place.x, place.y}, {place.right(), place.bottom()}))
      tooltip(base::text("draw.training.held_out"));
  }

  /// What is to be learned, if there is room for all of it.
  void task(const Rect& place, Align align) {
    if (measure(screen_.type.words, line_type, words_.task).x > place.width) return;
    const float x = align == Align::left ? place.x : place.right();
    set_text(list_, screen_.type.words, line_type, {x, place.centre().y}, align,
             packed(theme_.text), words_.task);
  }

  /// Words with an arrow, which lead on.
  void link(const Rect& place, std::string_view text, bool hovered) {
    const ImU32 colour = packed(hovered ? theme_.text : theme_.quiet);
    const float y = place.centre().y;
    set_text(list_, screen_.type.words, line_type, {place.x, y}, Align::left, colour, text);
    const float end = place.x + measure(screen_.type.words, line_type, text).x + link_arrow;
    const std::array<ImVec2, 3> tip = {
        {{end - 6.0F, y - 4.0F}, {end - 2.0F, y}, {end - 6.0F, y + 4.0F}}};
    list_->AddPolyline(tip.data(), 3, colour, 0, 1.5F);
  }

  /// How it is learned, at the right end of the row; pressed, the settings open. Returns where it
  /// begins.
  float settings_link(const Rect& row) {
    const float width = measure(screen_.type.words, line_type, words_.settings).x + link_arrow;
    const float x = row.right() - width;
    ImGui::SetCursorScreenPos({x, row.y});
    if (ImGui::InvisibleButton("settings", {width, row.height})) {
      view_.open_group = PanelGroup::settings;
      view_.shows_training = true;
    }
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    link({x, row.y, width, row.height}, words_.settings, hovered);
    return x;
  }

  bool play_button(bool busy) {
    const float width = 74.0F;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const bool pressed = ImGui::InvisibleButton("train", {width, 28.0F});
    const bool hovered = ImGui::IsItemHovered();
    if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    const Rgb face = hovered ? mixed(theme_.accent, theme_.text, 0.15F) : theme_.accent;
    list_->AddRectFilled(at, {at.x + width, at.y + 28.0F}, packed(face), 7.0F);
    set_text(list_, screen_.type.strong, 13.0F, {at.x + width / 2.0F, at.y + 14.0F}, Align::centre,
             packed(theme_.on_accent),
             base::text(busy ? "draw.training.pause" : "draw.training.train"));
    return pressed;
  }

  void numbers(const Rect& place) {
    Rect rest = place;
    rest.y += 4.0F;
    rest.height -= 4.0F;
    line(taken(rest, 18.0F), screen_.type.strong, theme_.text, words_.step + " · " + words_.right);
    accuracies(rest);
    rest.y += 3.0F;
    if (rest.height >= 3.0F * 16.0F) answers_.draw(list_, rest);
  }

  /// In one line, or where that is too narrow in two.
  void accuracies(Rect& rest) {
    const float widest = measure(screen_.type.words, line_type, words_.accuracy_line).x;
    const bool together = !words_.accuracy_line.empty() && widest <= rest.width;
    explain({rest.x, rest.y, rest.width, together ? 18.0F : 36.0F});
    if (together) {
      dots(rest.x, rest.y + 17.0F, widest);
      line(taken(rest, 18.0F), screen_.type.words, theme_.quiet, words_.accuracy_line);
      return;
    }
    if (!words_.accuracies.empty()) {
      const std::string& held_out = words_.accuracies.front();
      dots(rest.x, rest.y + 17.0F,
           std::min(rest.width, measure(screen_.type.numbers, line_type, held_out).x));
    }
    for (const std::string& accuracy : words_.accuracies)
      line(taken(rest, 18.0F), screen_.type.numbers, theme_.quiet, accuracy);
  }

  /// Heat maps of the chosen head over the steps, below the curve.
  void strip(const Rect& place) {
    const float size = place.height;
    const auto count =
        static_cast<std::size_t>(std::max(1.0F, (place.width + 4.0F) / (size + 4.0F)));
    const std::size_t head = session_.document().view_state.head;
    std::size_t before = run_.reached() + 1;
    for (std::size_t i = 0; i < count; ++i) {
      const float x = place.x + (place.width - size) * static_cast<float>(i) /
                                    static_cast<float>(std::max<std::size_t>(1, count - 1));
      const float middle = (x + size / 2.0F - place.x) / place.width;
      const auto wanted = static_cast<std::size_t>(middle * static_cast<float>(last_step()));
      const std::size_t step = run_.nearest_kept(wanted);
      if (wanted > run_.reached() || step == before) break;
      before = step;
      const tensor::Tensor weights = session_.weights_after(step);
      if (weights.defined()) draw_heat_map(list_, theme_, weights, head, {x, place.y}, size);
    }
  }

  void curve(const Rect& place, const Rect& curve) {
    LossCurve losses(screen_, words_, last_step(), curve);
    losses.draw();
    slider(place, curve, losses.x_of(static_cast<double>(session_.shown_steps())));
    losses.in_words();
  }

  /// Where in the training one is, at `x`; dragging goes back and forth in it.
  void slider(const Rect& place, const Rect& curve, float x) {
    ImGui::SetCursorScreenPos({place.x, place.y});
    ImGui::InvisibleButton("steps", {place.width, std::max(1.0F, place.height)});
    const bool hovered = ImGui::IsItemHovered();
    const bool active = ImGui::IsItemActive();
    if (hovered || active) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (active) {
      const float part = (ImGui::GetIO().MousePos.x - place.x) / place.width;
      const auto wanted =
          static_cast<std::size_t>(std::clamp(part, 0.0F, 1.0F) * static_cast<float>(last_step()));
      const std::size_t steps = run_.nearest_kept(wanted);
      if (steps != session_.document().configuration.training.steps)
        requests_.trained_steps = TrainedSteps{steps, !ImGui::IsItemActivated()};
    }
    list_->AddLine({x, curve.y}, {x, place.bottom()}, packed(theme_.text), 1.5F);
    // A grip on the edge of the chart, which no one takes for a loss.
    const float half = hovered || active ? 6.0F : 4.5F;
    const float y = curve.bottom();
    list_->AddRectFilled({x - half, y - half - 2.0F}, {x + half, y + half + 2.0F},
                         packed(theme_.text), 3.0F);
    for (const float aside : {-1.5F, 1.5F})
      list_->AddLine({x + aside, y - 3.0F}, {x + aside, y + 3.0F}, packed(theme_.page), 1.0F);
  }

  const Screen& screen_;
  View& view_;
  const Theme& theme_;
  const document::Session& session_;
  const TrainingRun& run_;
  const stage::TrainingWords words_;
  const AnswersTable answers_;
  const HeatMaps maps_;
  Requests& requests_;
  Widgets widgets_;
  ImDrawList* list_;
};

}  // namespace

void training_panel(const Screen& screen, View& view, Requests& requests) {
  const Rect& place = screen.chrome.training;
  if (place.empty() || !screen.session.has_task()) return;
  begin_area("##training", place, screen.theme, Back::none);
  TrainingPanel(screen, view, requests).draw(place);
  end_area();
}

}  // namespace draw
