// The commands `train` and `translate`: their options.
#pragma once

#include "app/command_line/command_line_options.hpp"

namespace app {

struct TrainOptions {
  Typed task, data, output, checkpoint, record, steps, batch, rate, method, seed;
};
struct TranslateOptions {
  Typed text, weights, trace, beam, measure_heads;
  bool json = false;
};

void declare(CLI::App& train, TrainOptions& options);
void declare(CLI::App& translate, TranslateOptions& options);

/// Errors: an option that is missing or wrong; whatever the command refuses.
base::Result<void> run(const TrainOptions& options);
base::Result<void> run(const TranslateOptions& options);

}  // namespace app
