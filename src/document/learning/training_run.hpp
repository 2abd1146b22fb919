// The training of an example's network, in slices short enough for a frame, and what is kept of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "document/document.hpp"
#include "training/run.hpp"

namespace document {

/// How the network of a configuration is trained: everything that decides its weights but the
/// number of steps. The example must have a task.
training::Settings training_settings(const Configuration& configuration);

/// Errors: a step or a sequence that is not there, settings as training::check. The example must
/// have a task.
base::Result<void> check_training(const Configuration& configuration);

/// The problem of a configuration whose example has a task, with the weights of `learner`.
lesson::Problem problem_of(const Configuration& configuration, const training::Learner& learner,
                           const training::Batch& held_out);

/// Training goes on until such a number of steps is reached, unless it is paused.
std::size_t next_end(const training::Settings& settings, std::size_t steps);

/// One training: the steps that were learned, the losses on the way, and weights of earlier steps.
/// The numbers follow from task and settings alone, however the work is sliced.
class TrainingRun {
 public:
  /// How good the network was after some steps.
  struct Measured {
    std::size_t steps = 0;
    training::Score held_out;  ///< on sequences that are never learned from
    training::Score learned;   ///< on sequences of the last batch that was learned from
  };

  /// Errors: as training::check.
  static base::Result<TrainingRun> start(const training::Task& task,
                                         const training::Settings& settings);

  const training::Task& task() const { return front_.task(); }
  const training::Settings& settings() const { return front_.settings(); }
  const training::Batch& held_out() const { return held_out_; }

  /// How many steps were learned so far.
  std::size_t reached() const { return front_.steps(); }
  /// The loss of each step's batch before the step: [reached].
  const std::vector<float>& losses() const { return losses_; }
  /// Every so many steps, in ascending order; the first is before step 1.
  const std::vector<Measured>& measured() const { return measured_; }
  /// The last ones measured after at most so many steps; nothing before the first. Where training
  /// rests, that is measured too, though it is not among `measured()`.
  const Measured* measured_at(std::size_t steps) const;
  /// The numbers of steps whose weights are kept, in ascending order: at most `most_kept`, evenly
  /// spread, and those reached last.
  std::vector<std::size_t> kept_steps() const;
  /// The kept number of steps that is nearest.
  std::size_t nearest_kept(std::size_t steps) const;
  /// Why training cannot go on, where weights are no longer numbers; else empty.
  const std::string& failure() const { return failure_; }

  /// The weights after so many steps, if they are known.
  const training::Learner* at(std::size_t steps) const;
  /// True where nothing is left to do before `at(steps)` is known and what is due was measured; and
  /// where that is impossible after a failure.
  bool is_done(std::size_t steps) const;
  /// Works towards `steps`, beginning no piece of work that would probably end later than `seconds`
  /// from now. At least one piece is done unless all is. Returns whether is_done.
  bool work(std::size_t steps, double seconds);

 private:
  explicit TrainingRun(training::Run run);
  /// Where working towards `steps` ends.
  std::size_t end_of(std::size_t steps) const;
  void one_piece(std::size_t steps);
  void measure();
  training::Score score_on_last_batch() const;
  void step_front();
  /// Goes back to the last weights that gave a finite loss; `first`: what was lost.
  void fail_at(std::size_t step, const std::string& first);
  void keep_front();

  training::Run front_;                ///< as far as it was learned
  std::optional<training::Run> good_;  ///< the last weights that gave a finite loss
  /// Learns again up to weights that were not kept.
  std::optional<training::Run> again_;
  training::Batch held_out_;
  std::vector<float> losses_;
  std::vector<Measured> measured_;
  std::optional<Measured> rested_;  ///< where training rested last, between two of these
  /// What is being measured, a few sequences at a time.
  std::optional<Measured> measuring_;
  std::size_t sequences_measured_ = 0;
  std::size_t tokens_measured_ = 0;
  std::vector<training::Run> kept_;  ///< in ascending order of steps
  std::size_t spacing_ = 1;          ///< weights are kept every so many steps
  std::string failure_;
  double longest_piece_ = 0.0;  ///< seconds, of late
};

/// How many snapshots a training keeps.
inline constexpr std::size_t most_kept = 48;

}  // namespace document
