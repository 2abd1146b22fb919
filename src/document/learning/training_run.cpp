#include "document/learning/training_run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <string_view>
#include <utility>

#include "base/text.hpp"
#include "model/transformer.hpp"

namespace document {

using base::fail;
using base::Result;
using training::Run;

namespace {

/// Held-out sequences are measured in pieces of this many, so that a frame need not wait long.
constexpr std::size_t measured_at_once = 32;

/// How many parts of a whole training are measured.
constexpr std::size_t measurements = 20;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::size_t steps_between_measurements(const training::Settings& settings) {
  return std::max<std::size_t>(1, settings.steps / measurements);
}

}  // namespace

training::Settings training_settings(const Configuration& configuration) {
  training::Settings settings =
      lesson::settings_of(configuration.example, configuration.parameters);
  const Training& training = configuration.training;
  settings.method = training.method.value_or(settings.method);
  settings.learning_rate = training.learning_rate.value_or(settings.learning_rate);
  settings.batch_size = training.batch_size.value_or(settings.batch_size);
  settings.positions = configuration.position_encoding.value_or(settings.positions);
  if (configuration.scale) settings.scaled = configuration.scale->kind != model::Scale::Kind::none;
  return settings;
}

Result<void> check_training(const Configuration& configuration) {
  const Training& training = configuration.training;
  if (training.steps > training::largest_steps) {
    return fail(base::text("document.training.step",
                           {{"step", training.steps}, {"most", training::largest_steps}}));
  }
  if (training.sequence >= training::held_out_sequences) {
    return fail(
        base::text("document.training.sequence",
                   {{"sequence", training.sequence}, {"last", training::held_out_sequences - 1}}));
  }
  return training::check(training_settings(configuration));
}

lesson::Problem problem_of(const Configuration& configuration, const training::Learner& learner,
                           const training::Batch& held_out) {
  const training::Settings settings = training_settings(configuration);
  return lesson::learned_problem(training::task(*lesson::example(configuration.example).task),
                                 settings, learner, held_out, configuration.training.sequence);
}

std::size_t next_end(const training::Settings& settings, std::size_t steps) {
  return std::min((steps / settings.steps + 1) * settings.steps, training::largest_steps);
}

Result<TrainingRun> TrainingRun::start(const training::Task& task,
                                       const training::Settings& settings) {
  auto run = Run::start(task, settings);
  if (!run) return fail(run.error());
  return TrainingRun(*std::move(run));
}

TrainingRun::TrainingRun(Run run)
    : front_(std::move(run)),
      held_out_(training::held_out(front_.task(), training::held_out_sequences)),
      measuring_(Measured{}) {
  kept_.push_back(front_);
}

const TrainingRun::Measured* TrainingRun::measured_at(std::size_t steps) const {
  const Measured* last = nullptr;
  for (const Measured& each : measured_) {
    if (each.steps <= steps) last = &each;
  }
  const bool nearer =
      rested_ && rested_->steps <= steps && (last == nullptr || last->steps < rested_->steps);
  return nearer ? &*rested_ : last;
}

std::size_t TrainingRun::end_of(std::size_t steps) const {
  return failure_.empty() ? steps : std::min(steps, reached());
}

std::vector<std::size_t> TrainingRun::kept_steps() const {
  std::vector<std::size_t> steps;
  for (const Run& run : kept_) steps.push_back(run.steps());
  if (steps.back() != reached()) steps.push_back(reached());
  return steps;
}

std::size_t TrainingRun::nearest_kept(std::size_t steps) const {
  const std::vector<std::size_t> kept = kept_steps();
  const auto distance = [steps](std::size_t to) { return to > steps ? to - steps : steps - to; };
  return *std::min_element(kept.begin(), kept.end(),
                           [&](std::size_t a, std::size_t b) { return distance(a) < distance(b); });
}

const training::Learner* TrainingRun::at(std::size_t steps) const {
  if (steps == reached()) return &front_.learner();
  if (again_ && again_->steps() == steps) return &again_->learner();
  for (const Run& run : kept_) {
    if (run.steps() == steps) return &run.learner();
  }
  return nullptr;
}

bool TrainingRun::is_done(std::size_t steps) const {
  const std::size_t end = end_of(steps);
  if (measuring_ || at(end) == nullptr) return false;
  if (end != reached()) return true;
  const Measured* measured = measured_at(end);
  return measured != nullptr && measured->steps == end;
}

bool TrainingRun::work(std::size_t steps, double seconds) {
  const double begin = now();
  double before = begin;
  while (!is_done(steps)) {
    if (before > begin && before - begin + longest_piece_ > seconds) return false;
    one_piece(steps);
    const double after = now();
    longest_piece_ = std::max(after - before, 0.9 * longest_piece_);
    before = after;
  }
  return true;
}

void TrainingRun::one_piece(std::size_t steps) {
  if (measuring_) return measure();
  const std::size_t end = end_of(steps);
  if (reached() < end) return step_front();
  if (reached() == end) {
    measuring_ = Measured{reached(), {}, {}};
    return measure();
  }
  if (!again_ || again_->steps() > steps) {
    const auto after = std::find_if(kept_.begin(), kept_.end(),
                                    [steps](const Run& run) { return run.steps() > steps; });
    again_ = *(after - 1);  // the first is at 0 steps
  }
  static_cast<void>(again_->piece_of_step());  // what could be learned once can be learned again
}

void TrainingRun::measure() {
  const std::size_t left = training::held_out_sequences - sequences_measured_;
  const std::size_t count = std::min(left, measured_at_once);
  const training::Batch part{held_out_.tokens.narrow(0, sequences_measured_, count),
                             held_out_.targets.narrow(0, sequences_measured_, count)};
  const auto score =
      training::score_of(front_.learner().in_use(), front_.learner().weights(), part);
  const std::size_t tokens = training::counted_tokens({part.tokens, {}, part.targets});
  if (score) {
    const auto weight = static_cast<double>(tokens);
    measuring_->held_out.loss += score->loss * weight;
    measuring_->held_out.accuracy += score->accuracy * weight;
  }
  tokens_measured_ += tokens;
  sequences_measured_ += count;
  if (sequences_measured_ < training::held_out_sequences) return;
  const auto all = static_cast<double>(std::max<std::size_t>(tokens_measured_, 1));
  measuring_->held_out.loss /= all;
  measuring_->held_out.accuracy /= all;
  measuring_->learned = score_on_last_batch();
  if (reached() % steps_between_measurements(settings()) == 0)
    measured_.push_back(*measuring_);
  else
    rested_ = measuring_;
  measuring_.reset();
  sequences_measured_ = tokens_measured_ = 0;
}

training::Score TrainingRun::score_on_last_batch() const {
  const std::size_t step = reached() == 0 ? 0 : reached() - 1;
  const std::size_t count = std::min(settings().batch_size, measured_at_once);
  const auto score = training::score_of(front_.learner().in_use(), front_.learner().weights(),
                                        training::make_batch(task(), settings().seed, step, count));
  return score.value_or(training::Score());
}

void TrainingRun::step_front() {
  Run before = front_;
  const auto piece = front_.piece_of_step();
  if (piece && !*piece) return;  // the batch is not complete
  const double loss = piece ? **piece : std::nan("");
  if (!std::isfinite(loss)) {
    // The step before made weights with which the model computes no finite loss.
    std::string first = training::first_lost(before);
    if (first.empty()) first = base::text("document.training.the_loss");
    return fail_at(before.steps(), first);
  }
  good_ = std::move(before);
  const std::string_view lost = training::first_lost_weight(front_.learner());
  if (!lost.empty()) return fail_at(front_.steps(), std::string(lost));
  losses_.push_back(static_cast<float>(loss));
  keep_front();
  if (reached() % steps_between_measurements(settings()) == 0)
    measuring_ = Measured{reached(), {}, {}};
}

void TrainingRun::fail_at(std::size_t step, const std::string& first) {
  failure_ = base::text("document.training.stopped",
                        {{"step", step}, {"tensor", first}, {"kept", good_->steps()}});
  front_ = *good_;
  losses_.resize(std::min(losses_.size(), reached()));
  std::erase_if(kept_, [this](const Run& run) { return run.steps() > reached(); });
  std::erase_if(measured_, [this](const Measured& each) { return each.steps > reached(); });
  if (rested_ && rested_->steps > reached()) rested_.reset();
}

void TrainingRun::keep_front() {
  if (reached() % spacing_ != 0) return;
  kept_.push_back(front_);
  if (kept_.size() <= most_kept) return;
  spacing_ *= 2;
  std::erase_if(kept_, [this](const Run& run) { return run.steps() % spacing_ != 0; });
}

}  // namespace document
