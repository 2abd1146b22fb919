#include "stage/wording/training_words.hpp"

#include <algorithm>
#include <array>
#include <cmath>

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

/// The mean of the largest weights of all rows on screen that could spread them; 0 if there are
/// none.
double largest_weights(const document::Computed& computed) {
  double sum = 0.0;
  std::size_t count = 0;
  for (const document::ComputedAttention& attention : computed.attentions) {
    const tensor::Tensor& weights = attention.trace["attention_weights"];
    const std::vector<float> numbers = weights.values();
    const std::size_t keys = weights.dim(3);
    const bool causal = attention.mask == lesson::MaskKind::look_ahead;
    for (std::size_t row = 0; row < numbers.size() / keys; ++row) {
      if (causal && row % keys == 0) continue;  // it sees one key only
      const auto first = numbers.begin() + static_cast<std::ptrdiff_t>(row * keys);
      sum +=
          static_cast<double>(*std::max_element(first, first + static_cast<std::ptrdiff_t>(keys)));
      ++count;
    }
  }
  return count == 0 ? 0.0 : sum / static_cast<double>(count);
}

/// Why it is not learned, after a good part of training; empty if it is, or if nobody can say.
std::string why_not(const TrainingRun& run, const document::Computed& computed) {
  constexpr double learned = 0.9;
  constexpr double saturated = 0.8;
  const auto& measured = run.measured();
  if (measured.size() < 4) return {};
  const training::Score& now = measured.back().held_out;
  if (now.accuracy >= learned) return {};
  const training::Settings& settings = run.settings();
  if (!settings.positions && !settings.causal)
    return base::text("stage.training.no_positions", {{"accuracy", three(now.accuracy)}});
  const double largest = settings.scaled ? 0.0 : largest_weights(computed);
  if (largest >= saturated)
    return base::text("stage.training.saturated", {{"weight", three(largest)}});
  const std::size_t tokens = run.task().vocabulary.size();
  const double guess = std::log(static_cast<double>(tokens));
  if (now.loss < 0.98 * guess && now.loss < 0.98 * measured.front().held_out.loss) return {};
  return base::text("stage.training.no_better",
                    {{"loss", three(now.loss)},
                     {"tokens", tokens},
                     {"guess", three(guess)},
                     {"rate", base::shortest_decimal(settings.learning_rate)}});
}

std::string_view method_name(training::Method method) {
  constexpr std::array keys = {"training.method.sgd", "training.method.momentum",
                               "training.method.adam"};
  return base::text(keys[static_cast<std::size_t>(method)]);
}

/// Where each head looks from this query.
std::vector<TrainingWords::Look> looks_of(const document::ComputedAttention& attention,
                                          std::size_t query) {
  std::vector<TrainingWords::Look> looks;
  const tensor::Tensor& weights = attention.trace["attention_weights"];
  for (std::size_t head = 0; head < weights.dim(1); ++head) {
    const std::vector<float> row =
        weights.select(0, 0).select(0, head).narrow(0, query, 1).values();
    const auto most = std::max_element(row.begin(), row.end());
    const auto key = static_cast<std::size_t>(most - row.begin());
    const std::vector<std::string>& tokens = attention.key_tokens.front();
    const bool several = std::count(tokens.begin(), tokens.end(), tokens[key]) > 1;
    looks.push_back({several ? tokens[key] + " " + std::to_string(key) : tokens[key], *most});
  }
  return looks;
}

}  // namespace

TrainingWords training_words(const document::Session& session) {
  const TrainingRun& run = *session.training_run();
  const std::size_t wanted = session.document().configuration.training.steps;
  const std::size_t shown = session.shown_steps();
  TrainingWords words;
  const bool on_the_way = wanted > run.reached() && run.failure().empty();
  const bool done = shown > 0 && shown % run.settings().steps == 0 && shown == run.reached() &&
                    !session.plays_training();
  words.step =
      on_the_way
          ? base::text("stage.training.on_the_way", {{"step", run.reached()}, {"wanted", wanted}})
          : base::text(done ? "stage.training.done" : "stage.training.step", {{"step", shown}});
  words.held_out_loss = base::text("stage.training.held_out_loss");
  words.training_loss = base::text("stage.training.training_loss");
  if (const TrainingRun::Measured* measured = run.measured_at(shown)) {
    const auto said = [&](std::string_view key, double accuracy) {
      std::string text = base::text(key, {{"accuracy", three(accuracy)}});
      if (measured->steps == shown) return text;
      return std::string(
          base::text("stage.training.as_of", {{"number", text}, {"step", measured->steps}}));
    };
    words.accuracy = {
        std::string(base::text("stage.training.accuracy")),
        base::text("stage.training.held_out", {{"accuracy", three(measured->held_out.accuracy)}}),
        base::text("stage.training.training", {{"accuracy", three(measured->learned.accuracy)}})};
    words.accuracies = {said("stage.training.held_out_accuracy", measured->held_out.accuracy),
                        said("stage.training.training_accuracy", measured->learned.accuracy)};
    words.accuracy_line = base::text("stage.training.accuracy_line",
                                     {{"held_out", three(measured->held_out.accuracy)},
                                      {"training", three(measured->learned.accuracy)},
                                      {"step", measured->steps}});
    words.held_out_loss += " " + three(measured->held_out.loss);
  }
  if (shown > 0 && shown <= run.losses().size())
    words.training_loss += " " + three(static_cast<double>(run.losses()[shown - 1]));
  words.trouble = run.failure().empty() ? why_not(run, session.computed()) : run.failure();
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
    words.sequence.push_back({tokens[i], answer.given, answer.right, {}});
    if (answer.right.empty()) continue;
    words.sequence.back().looks = looks_of(session.attention(), i);
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
