#include "stage/wording/training_words.hpp"

#include <array>

#include "base/decimal.hpp"
#include "base/text.hpp"
#include "stage/scene/number_text.hpp"

namespace stage {

namespace {

using document::TrainingRun;

std::string three(double number) {
  const auto value = static_cast<float>(number);
  return value < 10000.0F ? number_text(value, 3) : number_text_telling(value);
}

/// One sentence where the loss is not below that of the beginning, after a good part of training.
std::string no_better(const TrainingRun& run) {
  const auto& measured = run.measured();
  if (measured.size() < 4) return {};
  if (measured.back().held_out.loss < 0.98 * measured.front().held_out.loss) return {};
  return std::string(base::text("stage.training.no_better"));
}

std::string_view method_name(training::Method method) {
  constexpr std::array keys = {"training.method.sgd", "training.method.momentum",
                               "training.method.adam"};
  return base::text(keys[static_cast<std::size_t>(method)]);
}

}  // namespace

TrainingWords training_words(const document::Session& session) {
  const TrainingRun& run = *session.training_run();
  const std::size_t wanted = session.document().configuration.training.steps;
  const std::size_t shown = session.shown_steps();
  TrainingWords words;
  const bool on_the_way = wanted > run.reached() && run.failure().empty();
  words.step = on_the_way ? base::text("stage.training.on_the_way",
                                       {{"step", run.reached()}, {"wanted", wanted}})
                          : base::text("stage.training.step", {{"step", shown}});
  words.brief = base::text("stage.training.steps", {{"count", shown}});
  words.held_out_loss = base::text("stage.training.held_out_loss");
  words.training_loss = base::text("stage.training.training_loss");
  if (const TrainingRun::Measured* measured = run.measured_at(shown)) {
    const std::string accuracy = three(measured->held_out.accuracy);
    words.accuracies = {base::text("stage.training.held_out_accuracy", {{"accuracy", accuracy}}),
                        base::text("stage.training.training_accuracy",
                                   {{"accuracy", three(measured->learned.accuracy)}})};
    words.held_out_loss += " " + three(measured->held_out.loss);
    words.brief =
        base::text("stage.training.steps_and_accuracy", {{"count", shown}, {"accuracy", accuracy}});
  }
  if (shown > 0 && shown <= run.losses().size())
    words.training_loss += " " + three(static_cast<double>(run.losses()[shown - 1]));
  words.trouble = run.failure().empty() ? no_better(run) : run.failure();
  words.task = run.task().brief();
  words.settings = base::text("stage.training.settings",
                              {{"method", method_name(run.settings().method)},
                               {"rate", base::shortest_decimal(run.settings().learning_rate)}});
  std::size_t right = 0;
  std::size_t asked = 0;
  std::string corrected;  // with what would be right
  const std::vector<document::Answer>& answers = session.computed().answers;
  const std::vector<std::string>& tokens = session.attention().query_tokens.front();
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const document::Answer& answer = answers[i];
    words.sequence.push_back({tokens[i], answer.given, answer.right});
    if (answer.right.empty()) continue;
    ++asked;
    right += answer.given == answer.right ? 1 : 0;
    const std::string space = asked > 1 ? " " : "";
    corrected += space;
    corrected += answer.given == answer.right
                     ? answer.given
                     : base::text("stage.training.wrong_answer",
                                  {{"given", answer.given}, {"right", answer.right}});
  }
  words.right = base::text("stage.training.right", {{"right", right}, {"asked", asked}});
  words.answers = base::text("stage.training.answers",
                             {{"answers", corrected}, {"right", right}, {"asked", asked}});
  return words;
}

}  // namespace stage
