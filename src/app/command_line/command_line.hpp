// The program as a command: attention-live trace | examples | window | --help | --version.
#pragma once

#include "app/window/window.hpp"

namespace app {

/// Does what the arguments say (argv[0] is the program's name) and returns the exit code: 0, or 2
/// after one sentence on standard error about bad usage or input. `open_window` is called for
/// `window` and for no arguments at all, and its exit code is handed on.
int run_command_line(int argc, const char* const* argv, int (*open_window)(const WindowRequest&));

}  // namespace app
