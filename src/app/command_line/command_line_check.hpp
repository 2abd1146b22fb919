// attention-live check: what is wrong with a lesson's file.
#pragma once

#include "app/command_line/command_line_options.hpp"

namespace app {

/// The command's options as they were typed.
struct CheckOptions {
  Typed lesson;
};

void declare(CLI::App& check, CheckOptions& options);

/// Prints "ok: 5 steps, 3 questions" and returns 0; or prints FILE:LINE:COLUMN: and a sentence on
/// standard error, as compilers do, and returns 2.
int run(const CheckOptions& options);

}  // namespace app
