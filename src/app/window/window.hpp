// Opening the program's window: what the command line asks for.
#pragma once

#include <optional>
#include <string>

#include "lesson/examples/example.hpp"

namespace app {

struct WindowRequest {
  int width = 1280;  ///< of the drawing, in logical pixels
  int height = 800;
  std::optional<lesson::ExampleId> example;  ///< what to begin with; nothing: the default document
  std::optional<std::string> link;           ///< "#…", opened after that

  std::string file;   ///< of a model, of which an attention is shown; empty: none
  std::string layer;  ///< which; empty: the first

  /// Headless test mode: the window stays hidden. Each line of standard input is a request,
  /// {"method": "probe", "arguments": {…}}, with the methods of Api::call and
  /// {"method": "screenshot", "arguments": {"path": …}} and {"method": "drop", "arguments":
  /// {"path": …}}, as if the reader dropped that file; each is answered by one line of JSON on
  /// standard output, flushed. Ends with the input.
  bool script = false;
};

/// Opens the window and runs until it is closed, or until the script ends.
/// Returns the program's exit code: 0, or 2 after one sentence on standard error (no display, say).
int run_window(const WindowRequest& request);

}  // namespace app
