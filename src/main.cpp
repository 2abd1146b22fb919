// The native program: the command line, or a window if no command is given.
#include <exception>
#include <new>

#include "app/command_line/command_line.hpp"
#include "app/command_line/command_line_io.hpp"
#include "app/window/window.hpp"

// Our own code returns errors as values. The standard library throws if memory or another resource
// runs out.
int main(int argc, char** argv) {
  try {
    return app::run_command_line(argc, argv, app::run_window);
  } catch (const std::bad_alloc&) {
    app::print_error("There is not enough memory for this.");
  } catch (const std::exception& error) {
    app::print_error(error.what());
  }
  return 2;
}
