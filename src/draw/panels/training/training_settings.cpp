// How the network of an example is trained: method, learning rate, batch.
#include "base/decimal.hpp"
#include "base/text.hpp"
#include "draw/panels/panels.hpp"
#include "draw/panels/widgets.hpp"
#include "stage/scene/number_text.hpp"

namespace draw {

void training_settings(const Screen& screen, View& view, Requests& requests) {
  Widgets widgets(screen.theme, screen.type);
  const training::Settings& settings = screen.session.training_run()->settings();
  document::Training training = screen.session.document().configuration.training;
  widgets.heading(base::text("draw.training.title"));
  if (const auto method = widgets.segments(
          "method",
          texts({"training.method.sgd", "training.method.momentum", "training.method.adam"}),
          static_cast<int>(settings.method))) {
    training.method = static_cast<training::Method>(*method);
    requests.add(document::SetTraining{training});
  }
  Widgets::space(8.0F);
  const ImVec2 row = ImGui::GetCursorPos();
  widgets.heading(base::text("draw.training.rate"));
  if (widgets.field("##rate", view.training_rate_text,
                    stage::number_text(settings.learning_rate, 5), 100.0F,
                    base::text("draw.training.rate_hint"), true)) {
    float rate = 0.0F;
    if (stage::parse_number(view.training_rate_text, rate)) {
      training.learning_rate = rate;
      requests.add(document::SetTraining{training});
    } else {
      requests.error = training::no_learning_rate();
    }
  }
  ImGui::SetCursorPos({row.x + 124.0F, row.y});
  ImGui::BeginGroup();
  widgets.heading(base::text("draw.training.batch"));
  if (widgets.field("##batch", view.batch_text, std::to_string(settings.batch_size), 80.0F,
                    base::text("draw.training.batch_hint"), true)) {
    if (const auto size = base::read_whole<std::uint32_t>(view.batch_text)) {
      training.batch_size = *size;
      requests.add(document::SetTraining{training});
    } else {
      requests.error = base::text("draw.training.wrong_batch", {{"typed", view.batch_text}});
    }
  }
  ImGui::EndGroup();
  Widgets::space(4.0F);
  widgets.words(base::text("draw.training.held_out"), screen.theme.quiet, 12.5F);
  Widgets::space(10.0F);
}

}  // namespace draw
