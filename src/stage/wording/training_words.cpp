#include "stage/wording/training_words.hpp"

#include "stage/scene/number_text.hpp"

namespace stage {

namespace {

using document::TrainingRun;

std::string three(double number) { return number_text(static_cast<float>(number), 3); }

/// One sentence where the loss is not below that of the beginning, after a good part of training.
std::string no_better(const TrainingRun& run) {
  const auto& measured = run.measured();
  if (measured.size() < 4) return {};
  if (measured.back().held_out.loss < 0.98 * measured.front().held_out.loss) return {};
  return "The held-out loss is not lower than before training: the learning rate may be too high.";
}

}  // namespace

TrainingWords training_words(const document::Session& session) {
  const TrainingRun& run = *session.training_run();
  const std::size_t wanted = session.document().configuration.training.steps;
  const std::size_t shown = session.shown_steps();
  TrainingWords words;
  const bool on_the_way = wanted > run.reached() && run.failure().empty();
  words.step = on_the_way ? "step " + std::to_string(run.reached()) + " on the way to " +
                                std::to_string(wanted)
                          : "step " + std::to_string(shown);
  words.brief = std::to_string(shown) + " steps";
  words.held_out_loss = "held-out loss";
  words.training_loss = "training loss";
  if (const TrainingRun::Measured* measured = run.measured_at(shown)) {
    const std::string accuracy = three(measured->held_out.accuracy);
    words.accuracies = {"held-out accuracy " + accuracy,
                        "training accuracy " + three(measured->learned.accuracy)};
    words.held_out_loss += " " + three(measured->held_out.loss);
    words.brief += ", accuracy " + accuracy;
  }
  if (shown > 0 && shown <= run.losses().size())
    words.training_loss += " " + three(static_cast<double>(run.losses()[shown - 1]));
  words.trouble = run.failure().empty() ? no_better(run) : run.failure();
  std::size_t right = 0;
  std::size_t asked = 0;
  std::string given;  // with what would be right
  for (const document::Answer& answer : session.computed().answers) {
    if (answer.right.empty()) continue;
    ++asked;
    right += answer.given == answer.right ? 1 : 0;
    words.right += " " + answer.given;
    given += (given.empty() ? "" : " ") + answer.given;
    if (answer.given != answer.right) given += " (right: " + answer.right + ")";
  }
  words.right = std::to_string(right) + " of " + std::to_string(asked) + " right:" + words.right;
  words.answers = "It answers: " + given + ". " + std::to_string(right) + " of " +
                  std::to_string(asked) + " are right.";
  return words;
}

}  // namespace stage
