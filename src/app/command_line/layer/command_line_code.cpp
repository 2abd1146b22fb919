#include "app/command_line/layer/command_line_code.hpp"

#include <string>

#include "app/command_line/command_line_io.hpp"
#include "code/program.hpp"

namespace app {
namespace {

using base::fail;
using base::Result;

constexpr const char* more_about_code =
    "The program reads IN.safetensors, computes every tensor that\n"
    "  attention-live trace IN.safetensors -o OUT.safetensors\n"
    "writes with the same options, and writes them to the path that it is given:\n"
    "  attention-live code IN.safetensors --as numpy > layer.py\n"
    "  python3 layer.py OUT.safetensors\n"
    "A second path is another file to read, whose tensors have the same names and shapes.\n"
    "It needs Python 3 and NumPy; with --as pytorch PyTorch too. What IN.safetensors may hold:\n"
    "attention-live trace --help.\n"
    "\n"
    "Exit code 0, or 2 after one sentence about what is wrong.";

Result<code::Library> library_from(const Typed& as) {
  if (!as.given() || as.text == "numpy") return code::Library::numpy;
  if (as.text == "pytorch") return code::Library::pytorch;
  return fail("--as is " + files::in_quotes(as.text) + "; it must be numpy or pytorch.");
}

}  // namespace

void declare(CLI::App& code, CodeOptions& options) {
  add(code, options.input, "IN", "", "The file to read: IN.safetensors");
  add(code, options.as, "--as", "LIBRARY", "numpy (unless given) or pytorch");
  declare(code, options.attention);
  code.footer(more_about_code);
}

Result<void> run(const CodeOptions& options) {
  const Result<code::Library> library = library_from(options.as);
  if (!library) return fail(library.error());
  AttentionRequest request;
  document::FirstError wrong;
  store(options.attention, request, wrong);
  if (wrong) return fail(*wrong);
  if (!options.input.given()) {
    return fail("code needs a file (see attention-live code --help).");
  }
  const Result<LoadedAttention> loaded = load_attention(options.input.text, request);
  if (!loaded) return fail(loaded.error());
  const files::AttentionFileOptions file_options = app::file_options(request);
  const Result<std::string> text = code::program(
      loaded->model.front(), {options.input.text, loaded->file, file_options}, *library);
  if (!text) return fail(text.error());
  return print(*text);
}

}  // namespace app
