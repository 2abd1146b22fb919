#include "app/command_line/layer/command_line_code.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "app/command_line/command_line_io.hpp"
#include "code/model_source.hpp"
#include "code/program.hpp"
#include "code/reading.hpp"
#include "files/snippets.hpp"
#include "model/roles.hpp"

namespace app {
namespace {

using base::fail;
using base::Result;
using tensor::Shape;

constexpr const char* more_about_code =
    "The program reads IN.safetensors, computes every tensor that\n"
    "  attention-live trace IN.safetensors -o OUT.safetensors\n"
    "writes with the same options, and writes them to the path that it is given:\n"
    "  attention-live code IN.safetensors --as numpy > layer.py\n"
    "  python3 layer.py OUT.safetensors\n"
    "A second path is another file to read, whose tensors have the same names and shapes.\n"
    "With --layer NAME it is one of the attentions of a model, and the program reads the tensors\n"
    "of the model's file, its shards included; tokens that are in no tensor are written out.\n"
    "It needs Python 3 and NumPy; with --as pytorch PyTorch too. What IN.safetensors may hold:\n"
    "attention-live trace --help.\n"
    "\n"
    "Exit code 0, or 2 after one sentence about what is wrong.";

Result<code::Library> library_from(const Typed& as) {
  if (!as.given() || as.text == "numpy") return code::Library::numpy;
  if (as.text == "pytorch") return code::Library::pytorch;
  return fail("--as is " + files::in_quotes(as.text) + "; it must be numpy or pytorch.");
}

/// The tokens of the layer, as Python makes them.
void add_tokens(const LoadedLayer& loaded, code::Library library, code::ModelSource& source) {
  namespace roles = model::roles;
  const model::Trace& trace = loaded.model.front().trace;
  const bool is_numpy = library == code::Library::numpy;
  const auto batched = [](const std::string& expression, std::size_t rank) {
    return rank == 2 ? expression + "[None]" : expression;
  };
  const auto literal = [&](model::TensorId id) {
    return is_numpy ? files::numpy_array(trace[id]) : files::pytorch_tensor(trace[id]);
  };
  std::string query;
  if (!loaded.ids.empty()) {
    std::string ids;
    for (const std::uint32_t id : loaded.ids) ids += (ids.empty() ? "" : ", ") + std::to_string(id);
    query = code::tensor_of_file(loaded.embeddings, source) + "[[" + ids + "]][None]";
  } else if (!loaded.array.empty()) {
    const std::string read = "np.load(" + code::path_literal(loaded.array) + ").astype(np.float32)";
    const Shape& shape = trace[roles::query].shape();
    query = (is_numpy ? read : "torch.from_numpy(" + read + ')') + ".reshape(" +
            std::to_string(shape[0]) + ", " + std::to_string(shape[1]) + ", " +
            std::to_string(shape[2]) + ')';
  }
  std::optional<model::TensorId> before;
  for (const auto& [name, id] : {std::pair{"query", roles::query}, std::pair{"key", roles::key},
                                 std::pair{"value", roles::value}}) {
    const auto input = std::find_if(loaded.inputs.begin(), loaded.inputs.end(),
                                    [name = name](const auto& each) { return each.first == name; });
    std::string made;
    if (!before && !query.empty())
      made = query;
    else if (before && trace[id].storage_id() == trace[*before].storage_id())
      made = model::name_of(*before);
    else if (input != loaded.inputs.end())
      made = batched(code::tensor_of_file(name, source), input->second);
    else
      made = literal(id);
    source.given.emplace_back(id, made);
    before = id;
  }
}

/// The program of a layer of a model.
Result<std::string> program_of_layer(const std::string& path, const AttentionRequest& request,
                                     const LayerRequest& layer, code::Library library) {
  const Result<LoadedLayer> loaded = load_layer(path, request, layer);
  if (!loaded) return fail(loaded.error());
  code::ModelSource source;
  for (const std::string& each : loaded->paths) {
    if (std::find(source.paths.begin(), source.paths.end(), each) == source.paths.end())
      source.paths.push_back(each);
  }
  add_tokens(*loaded, library, source);
  code::add_weights(loaded->found, library, source);
  files::AttentionFileOptions file_options;
  file_options.causal = loaded->is_causal;
  const files::Safetensors none;
  return code::program(loaded->model.front(), {path, none, file_options, &source}, library);
}

}  // namespace

void declare(CLI::App& code, CodeOptions& options) {
  add(code, options.input, "IN", "", "The file to read: IN.safetensors");
  add(code, options.as, "--as", "LIBRARY", "numpy (unless given) or pytorch");
  declare(code, options.attention);
  declare(code, options.layer);
  add(code, options.seed, "--seed", "N", "The seed of the random tokens that the layer reads");
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
  if (auto checked = check("code", options.layer, options.seed, options.attention); !checked)
    return checked;
  if (options.layer.name.given()) {
    std::optional<std::uint32_t> seed;
    if (options.seed.given()) {
      wrong.store(whole_number<std::uint32_t>("--seed", options.seed.text, 0, 0xFFFFFFFF), seed);
    }
    const LayerRequest layer = layer_request_from(options.layer, seed, wrong);
    if (wrong) return fail(*wrong);
    const Result<std::string> text = program_of_layer(options.input.text, request, layer, *library);
    return text ? print(*text) : fail(text.error());
  }
  if (options.seed.given()) return fail("--seed is for --layer only.");
  const Result<LoadedAttention> loaded = load_attention(options.input.text, request);
  if (!loaded) return fail(loaded.error());
  const files::AttentionFileOptions file_options = app::file_options(request);
  const Result<std::string> text = code::program(
      loaded->model.front(), {options.input.text, loaded->file, file_options}, *library);
  if (!text) return fail(text.error());
  return print(*text);
}

}  // namespace app
