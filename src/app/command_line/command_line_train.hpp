// The command `train`: learns weights and writes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/error.hpp"
#include "training/settings.hpp"

namespace app {

struct TrainRequest {
  std::string task;        ///< of training::tasks(), or "translate"
  std::string data;        ///< for translate: pairs of sentences
  std::string output;      ///< the weights
  std::string checkpoint;  ///< written again and again, and gone on from; none if empty
  std::string
      record;  ///< of a translator, instead of weights: what tools/translator/check.py reads
  std::optional<std::size_t> steps;
  std::optional<std::size_t> batch_size;
  std::optional<float> learning_rate;
  std::optional<training::Method> method;
  std::optional<std::uint32_t> seed;
};

/// Learns, with progress on standard error, writes the weights, and prints one line about what was
/// reached. Errors: settings, files and data that are wrong, as one sentence.
base::Result<void> run_train(const TrainRequest& request);

}  // namespace app
