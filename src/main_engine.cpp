// The engine by itself, as a WebAssembly module of a few plain functions: what web/engine.mjs
// calls. It reads the same tensors as `attention-live trace IN.safetensors` and gives the same, but
// knows no file, canvas or page.
//
// In order: engine_start; for each tensor its name to where engine_text points, then engine_input
// and its numbers to where that points; engine_run; engine_name, engine_shape and engine_data of
// each result; engine_start, which frees them. The caller bounds what it passes: names of at most
// 64 bytes, shapes of at most four axes and 2^24 numbers.
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "files/attention/attention_file.hpp"
#include "model/gradients.hpp"
#include "model/part.hpp"
#include "model/roles.hpp"

#define EXPORTED(name) extern "C" __attribute__((used, export_name(#name)))

namespace {

using tensor::Tensor;

constexpr std::size_t most_axes = 4;

struct Input {
  std::string name;
  std::string dtype;
  tensor::Shape shape;
  std::vector<std::byte> bytes;
};

struct Result {
  std::string name;
  Tensor tensor;
};

struct Engine {
  std::vector<Input> inputs;
  std::vector<Result> results;
  std::string text;  ///< a name, or the sentence about what is wrong
  std::vector<std::uint32_t> shape;
  Tensor asked_for;  ///< keeps what engine_data points to
};

Engine& engine() {
  static Engine made;
  return made;
}

/// Which of engine_run's switches are on.
enum Switch : unsigned { causal = 1, alibi = 2, qk_norm = 4, gradients = 8, sink = 16 };

base::Result<model::Model> model_of(const std::vector<Input>& inputs,
                                    const files::AttentionFileOptions& options) {
  files::Safetensors file;
  for (const Input& input : inputs) {
    file.tensors.push_back({input.name, input.dtype, input.shape, input.bytes});
  }
  base::Result<files::AttentionFile> given = files::attention_from_file(file, options);
  if (!given) return base::fail(given.error());
  base::Result<model::Part> part = model::attention_part(std::move(given->given), given->options);
  if (!part) return base::fail(part.error());
  model::Model model;
  model.push_back(*std::move(part));
  if (options.needs_target) {
    model::add_squared_distance(model, 0, model::roles::output, given->target);
    model::add_gradients(model, 0, "loss");
  }
  return model;
}

}  // namespace

/// Forgets everything, so that its memory is there for the next trace.
EXPORTED(engine_start)
void engine_start() { engine() = Engine(); }

/// Where `length` bytes of a name belong.
EXPORTED(engine_text)
char* engine_text(std::size_t length) {
  engine().text.assign(length, ' ');
  return engine().text.data();
}

/// Bytes of the text that engine_run or engine_name left.
EXPORTED(engine_text_length)
std::size_t engine_text_length() { return engine().text.size(); }

/// A tensor with the name that is in engine_text: where its numbers belong, float32 in index order,
/// or a byte 0 or 1 each where it is a boolean mask.
EXPORTED(engine_input)
std::byte* engine_input(bool boolean, std::size_t rank, std::size_t axis_0, std::size_t axis_1,
                        std::size_t axis_2, std::size_t axis_3) {
  const std::array<std::size_t, most_axes> axes = {axis_0, axis_1, axis_2, axis_3};
  Input input;
  input.name = engine().text;
  input.dtype = boolean ? "BOOL" : "F32";
  std::size_t size = boolean ? 1 : sizeof(float);
  for (std::size_t axis = 0; axis < rank && axis < most_axes; ++axis) {
    input.shape.push_back(axes[axis]);
    size *= axes[axis];
  }
  input.bytes.resize(size);
  engine().inputs.push_back(std::move(input));
  return engine().inputs.back().bytes.data();
}

/// Computes everything. Gives the number of tensors; 0 where something is wrong, with a sentence
/// about it, whose address engine_name(0) then gives. `scale_kind` as model::Scale::Kind; the rest
/// as model::Variants.
EXPORTED(engine_run)
std::size_t engine_run(std::size_t heads, std::size_t kv_heads, unsigned scale_kind, float scale,
                       unsigned switches, float rope, std::size_t window, float softcap,
                       float sink) {
  files::AttentionFileOptions options;
  options.num_heads = heads;
  options.num_kv_heads = kv_heads;
  options.scale = {static_cast<model::Scale::Kind>(scale_kind), scale};
  options.variants.rope_base = rope;
  options.variants.alibi = (switches & Switch::alibi) != 0;
  options.variants.window = window;
  options.variants.softcap = softcap;
  if ((switches & Switch::sink) != 0) options.variants.sink = sink;
  options.variants.qk_norm = (switches & Switch::qk_norm) != 0;
  options.causal = (switches & Switch::causal) != 0;
  options.needs_target = (switches & Switch::gradients) != 0;
  Engine& made = engine();
  base::Result<model::Model> model = model_of(made.inputs, options);
  made.inputs.clear();
  if (!model) {
    made.text = model.error().message;
    return 0;
  }
  const std::vector<model::Trace> traces = model::compute(*model);
  for (const model::TensorId id : traces.front().present()) {
    made.results.push_back({std::string(model::name_of(id)), traces.front()[id]});
  }
  return made.results.size();
}

/// The name of a result, engine_text_length() bytes; without results, the sentence about what is
/// wrong.
EXPORTED(engine_name)
const char* engine_name(std::size_t which) {
  Engine& made = engine();
  if (which < made.results.size()) made.text = made.results[which].name;
  return made.text.data();
}

/// The number of its axes, then how long each is.
EXPORTED(engine_shape)
const std::uint32_t* engine_shape(std::size_t which) {
  Engine& made = engine();
  const tensor::Shape& shape = made.results[which].tensor.shape();
  made.shape.assign(1, static_cast<std::uint32_t>(shape.rank()));
  for (std::size_t axis = 0; axis < shape.rank(); ++axis) {
    made.shape.push_back(static_cast<std::uint32_t>(shape[axis]));
  }
  return made.shape.data();
}

/// Its numbers in index order, until the next call.
EXPORTED(engine_data)
const float* engine_data(std::size_t which) {
  Engine& made = engine();
  made.asked_for = made.results[which].tensor.contiguous();
  return made.asked_for.data();
}
