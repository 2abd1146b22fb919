// The training of a task, step by step.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "training/learner.hpp"
#include "training/task.hpp"

namespace training {

/// The model that is trained with these settings on this task.
model::Transformer transformer_of(const Task& task, const Settings& settings);

/// One task that is being learned. Everything follows from the task and the settings: the same
/// numbers again on every machine that rounds alike.
class Run {
 public:
  /// Errors: settings that cannot be (check in settings.hpp).
  static base::Result<Run> start(const Task& task, const Settings& settings);

  const Task& task() const { return *task_; }
  const Settings& settings() const { return settings_; }
  const Learner& learner() const { return learner_; }
  Learner& learner() { return learner_; }
  std::size_t steps() const { return learner_.steps(); }

  /// Learns from the next batch. Returns its loss before the step. Errors: as Learner::learn.
  base::Result<double> step();
  /// A piece of the same, short enough for a frame: the gradients of a part of the batch. The
  /// piece that completes the batch makes the step and returns the loss; the others return nothing.
  base::Result<std::optional<double>> piece_of_step();

 private:
  Run(const Task& task, const Settings& settings);
  std::vector<model::TokenBatch> next_parts() const;

  const Task* task_;
  Settings settings_;
  Learner learner_;
  std::vector<Gradients> pieces_;  ///< of the parts of the next batch that are done
};

/// How a model does on sequences that it never learned from.
struct Score {
  double loss = 0.0;
  double accuracy =
      0.0;  ///< the share of the tokens that count for which the largest logit is right
};

/// Errors: as model::transformer_model.
base::Result<Score> score_of(const model::Transformer& transformer, const model::Weights& weights,
                             const Batch& batch);

/// The first weight that holds something that is no finite number, by name; empty if none does.
std::string_view first_lost_weight(const Learner& learner);
/// The same of all tensors from which `run` would compute the loss of its next step, weights
/// included; masks hold −∞ on purpose.
std::string first_lost(const Run& run);

}  // namespace training
