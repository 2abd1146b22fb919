// Targets, gradients, and steps of gradient descent with their arithmetic.
#include <array>
#include <string>

#include "base/text.hpp"
#include "document/learning/learn.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "stage/scene/number_text.hpp"
#include "stage/wording/cell/equation.hpp"
#include "stage/wording/step_words.hpp"

namespace draw {

namespace {

using stage::number_text_telling;

void loss_line(const Screen& screen, const View& view, Widgets& widgets) {
  const auto loss = document::loss_of(screen.session.computed());
  const bool just = view.learned.revision == screen.session.revision();
  const std::string now = number_text_telling(*loss);
  widgets.words(
      just ? base::counted_text("draw.learn.loss_fell", view.learned.steps,
                                {{"first", number_text_telling(view.learned.first)}, {"loss", now}})
           : base::text("draw.learn.loss", {{"loss", now}}),
      screen.theme.text, 14.0F, true);
}

/// What was asked for, and what the cells hold now.
void targets_list(const Screen& screen, Widgets& widgets) {
  constexpr std::size_t most = 3;
  const std::vector<document::Edit>& targets = screen.session.document().configuration.target;
  for (std::size_t i = 0; i < std::min(most, targets.size()); ++i) {
    const auto& [cell, target] = targets[i];
    const document::ComputedAttention& attention = screen.session.computed().find(cell.attention);
    widgets.numbers(
        base::text("draw.learn.target",
                   {{"cell", address_text(attention, cell.tensor, cell.index)},
                    {"number", number_text_telling(attention.trace[cell.tensor].at(cell.index))},
                    {"target", number_text_telling(target)}}),
        screen.theme.text, 12.0F);
  }
  if (targets.size() > most)
    widgets.words(base::counted_text("draw.learn.more_targets", targets.size() - most),
                  screen.theme.quiet, 12.5F);
}

void ticks(const Screen& screen, Widgets& widgets, Requests& requests) {
  const document::Document& document = screen.session.document();
  const document::Learns can = document::can_learn(
      screen.session.computed(), document.configuration, document.view_state.attention);
  const document::Learns learns = document.view_state.learns;
  for (std::size_t bit = 0; bit < document::learns_names.size(); ++bit) {
    const auto one = static_cast<document::Learns>(1U << bit);
    if ((can & one) == 0) continue;
    const std::string key = "draw.learn.what." + std::string(document::learns_names[bit]);
    if (widgets.toggle(key.c_str(), base::text(key), (learns & one) != 0))
      requests.add(document::ChooseLearns{static_cast<document::Learns>(learns ^ one)});
  }
}

void learnable(const Screen& screen, Widgets& widgets) {
  const std::string words = stage::learnable_words(screen.session.attention().trace);
  if (words.empty()) return;
  Widgets::space(4.0F);
  widgets.words(words, screen.theme.quiet, 12.5F);
}

void rate(const Screen& screen, View& view, Widgets& widgets, Requests& requests) {
  const float now = screen.session.document().view_state.learning_rate;
  const float y = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(y + 7.0F);  // at half the field's height
  widgets.words(base::text("draw.learn.rate"), screen.theme.quiet, 12.5F);
  Widgets::same_line();
  ImGui::SetCursorPosY(y);
  if (!widgets.field("##rate", view.rate_text, stage::number_for_editing(now), 90.0F, "0.1", true))
    return;
  float value = 0.0F;
  if (stage::parse_number(view.rate_text, value))
    requests.add(document::SetLearningRate{value});
  else
    requests.error = base::text("draw.learn.wrong_rate", {{"typed", view.rate_text}});
}

}  // namespace

void learn_panel(const Screen& screen, View& view, Requests& requests) {
  Widgets widgets(screen.theme, screen.type);
  const document::Document& document = screen.session.document();
  const document::ViewState& view_state = document.view_state;
  const bool targets = !document.configuration.target.empty();
  if (widgets.toggle("targets", base::text("draw.learn.set_targets"), view_state.learning))
    requests.add(document::Learning{!view_state.learning});
  if (!targets) {
    widgets.words(base::text("draw.learn.how"), screen.theme.quiet, 12.5F);
    learnable(screen, widgets);
    return;
  }
  targets_list(screen, widgets);
  loss_line(screen, view, widgets);
  if (widgets.text_button("draw.learn.step", !view.learns)) requests.learn = true;
  Widgets::same_line(2.0F);
  if (widgets.text_button(view.learns ? "draw.learn.pause" : "draw.learn.play", true, view.learns))
    requests.learns = true;
  Widgets::same_line(2.0F);
  if (widgets.text_button("draw.bar.undo", screen.session.can_undo())) requests.undo = true;
  Widgets::same_line(2.0F);
  if (widgets.text_button("draw.learn.remove")) requests.add(document::RemoveTarget{});
  if (const auto pressed =
          widgets.segments("numbers", texts({"draw.learn.values", "draw.learn.gradients"}),
                           view_state.gradients ? 1 : 0))
    requests.add(document::ShowGradients{*pressed == 1});
  rate(screen, view, widgets, requests);
  if (const auto update =
          document::shown_update(screen.session.computed(), document, screen.focus.cell)) {
    widgets.words(base::text("draw.learn.next"), screen.theme.quiet, 12.5F);
    widgets.numbers(stage::update_text(screen.session.computed().find(update->cell.attention),
                                       *update, view_state.learning_rate),
                    screen.theme.text, 12.0F);
  }
  // Here, so that the buttons above stay where they are.
  if (view.learned.revision == screen.session.revision())
    widgets.words(base::text("draw.learn.shared"), screen.theme.quiet, 12.5F);
  ticks(screen, widgets, requests);
}

}  // namespace draw
