// Targets, gradients, and steps of gradient descent with their arithmetic.
#include <array>
#include <string>

#include "document/learning/learn.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "stage/scene/number_text.hpp"
#include "stage/wording/equation.hpp"

namespace draw {

namespace {

using stage::number_text_telling;

constexpr std::array<const char*, document::learns_names.size()> learns_labels = {
    "embeddings", "M^Q, q_proj_weight", "M^K, k_proj_weight", "M^V, v_proj_weight",
    "out_proj_weight"};

void loss_line(const Screen& screen, const View& view, Widgets& widgets) {
  const auto loss = document::loss_of(screen.session.computed());
  const bool just = view.learned.revision == screen.session.revision();
  std::string text = "loss " + number_text_telling(*loss);
  if (just) text = "loss " + number_text_telling(view.learned.before) + " → " + text.substr(5);
  widgets.words(text, screen.theme.text, 14.0F, true);
}

void ticks(const Screen& screen, Widgets& widgets, Requests& requests) {
  const document::Document& document = screen.session.document();
  const document::Learns can = document::can_learn(
      screen.session.computed(), document.configuration, document.view_state.attention);
  const document::Learns learns = document.view_state.learns;
  for (std::size_t bit = 0; bit < learns_labels.size(); ++bit) {
    const auto one = static_cast<document::Learns>(1U << bit);
    if ((can & one) == 0) continue;
    const std::string label = std::string("learn ") + learns_labels[bit];
    if (widgets.toggle(label.c_str(), label, (learns & one) != 0))
      requests.add(document::ChooseLearns{static_cast<document::Learns>(learns ^ one)});
  }
}

void rate(const Screen& screen, View& view, Widgets& widgets, Requests& requests) {
  const float now = screen.session.document().view_state.learning_rate;
  widgets.words("learning rate", screen.theme.quiet, 12.5F);
  if (!widgets.field("##rate", view.rate_text, stage::number_for_editing(now), 110.0F, "0.1", true))
    return;
  float value = 0.0F;
  if (stage::parse_number(view.rate_text, value))
    requests.add(document::SetLearningRate{value});
  else
    requests.error = "“" + view.rate_text + "” is not a number; type something like 0.1.";
}

}  // namespace

void learn_panel(const Screen& screen, View& view, Requests& requests) {
  Widgets widgets(screen.theme, screen.type);
  const document::Document& document = screen.session.document();
  const document::ViewState& view_state = document.view_state;
  const bool targets = !document.configuration.target.empty();
  if (widgets.toggle("set targets", "set targets in output, attention_weights",
                     view_state.learning))
    requests.add(document::Learning{!view_state.learning});
  if (!targets) {
    widgets.words(
        "Choose a cell of output or of attention_weights; drag it sideways, or type what it should "
        "be. The loss is half the sum of the squared distances to these targets. Learning makes it "
        "smaller: each number that learns moves against its gradient.",
        screen.theme.quiet, 12.5F);
    return;
  }
  loss_line(screen, view, widgets);
  if (widgets.text_button("Step", !view.learns)) requests.learn = true;
  Widgets::same_line(2.0F);
  if (widgets.text_button(view.learns ? "Pause" : "Play", true, view.learns))
    requests.learns = true;
  Widgets::same_line(2.0F);
  if (widgets.text_button("Undo", screen.session.can_undo())) requests.undo = true;
  Widgets::same_line(2.0F);
  if (widgets.text_button("Remove targets")) requests.add(document::RemoveTarget{});
  if (const auto pressed =
          widgets.segments("numbers", {"values", "gradients"}, view_state.gradients ? 1 : 0))
    requests.add(document::ShowGradients{*pressed == 1});
  if (const auto update =
          document::shown_update(screen.session.computed(), document, screen.focus.cell)) {
    widgets.words("Next step, w ← w − rate × gradient:", screen.theme.quiet, 12.5F);
    widgets.numbers(stage::update_text(screen.session.computed().find(update->cell.attention),
                                       *update, view_state.learning_rate),
                    screen.theme.text, 12.0F);
  }
  ticks(screen, widgets, requests);
  rate(screen, view, widgets, requests);
}

}  // namespace draw
