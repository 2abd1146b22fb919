// The command `code`: a file in, a program in Python out that computes the same.
#pragma once

#include "app/command_line/layer/command_line_layers.hpp"

namespace app {

/// The command's options as they were typed.
struct CodeOptions {
  AttentionOptions attention;
  LayerOptions layer;
  Typed input, as, seed;
};

void declare(CLI::App& code, CodeOptions& options);

/// Prints the program. Errors: a library that is not known, everything that can be wrong with the
/// file or an option, as one sentence; nothing is printed then.
base::Result<void> run(const CodeOptions& options);

}  // namespace app
