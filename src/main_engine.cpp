// The engine by itself, as a WebAssembly module of a few plain functions: what web/engine.mjs
// calls. It reads the same tensors as `attention-live trace IN.safetensors` and gives the same, but
// knows no file, canvas or page.
//
// In order: engine_start; for each tensor its name to where engine_text points, then engine_input
// and its numbers to where that points; the settings to where engine_text points, then engine_run;
// engine_name, engine_shape and engine_data of each result; engine_start, which frees them. The
// caller bounds what it passes: names of at most 64 bytes, shapes of at most four axes and 2^24
// numbers, and settings that are known and within what engine.d.ts says.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/decimal.hpp"
#include "base/json/json_reader.hpp"
#include "files/attention/attention_file.hpp"
#include "files/attention/variant_names.hpp"
#include "files/quote.hpp"
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

using Options = files::AttentionFileOptions;
using Value = std::string_view;

// Each sets `field`; false where the value is none of its kind.
bool read(Value value, bool& field) {
  field = value == "true";
  return field || value == "false";
}
template <typename Read, typename Field>
bool read(std::optional<Read> value, Field& field) {
  if (value) field = *value;
  return value.has_value();
}
bool read(Value value, std::size_t& field) {
  return read(base::read_whole<std::size_t>(value), field);
}
bool read(Value value, float& field) { return read(base::read_float(value), field); }

/// One of the words of model::Scale::Kind, or a number.
bool read(Value value, model::Scale& scale) {
  if (const auto kind = files::scale_named(value)) {
    scale = {*kind, 1.0F};
    return true;
  }
  scale.kind = model::Scale::Kind::number;
  return read(value, scale.number);
}

/// A setting with its name in engine.d.ts.
struct Setting {
  std::string_view name;
  bool (*store)(Options&, Value);
  std::string_view allowed = {};  ///< of those that only the other side of the border can judge
};
constexpr std::array settings = {
    Setting{"heads", [](Options& to, Value value) { return read(value, to.num_heads); }},
    Setting{"kvHeads", [](Options& to, Value value) { return read(value, to.num_kv_heads); }},
    Setting{"causal", [](Options& to, Value value) { return read(value, to.causal); }},
    Setting{"gradients", [](Options& to, Value value) { return read(value, to.needs_target); }},
    Setting{"scale", [](Options& to, Value value) { return read(value, to.scale); }},
    Setting{"rope", [](Options& to, Value value) { return read(value, to.variants.rope_base); }},
    Setting{"ropeDims",
            [](Options& to, Value value) { return read(value, to.variants.rope_dims); }},
    Setting{"ropePairs",
            [](Options& to, Value value) { return read(value, to.variants.rope_neighbours); }},
    Setting{"ropeScaling",
            [](Options& to, Value value) {
              return read(files::rope_scaling_from(value), to.variants.rope_scaling);
            },
            "linear:FACTOR, llama3:FACTOR,LENGTH,LOW,HIGH or yarn:FACTOR,LENGTH,FAST,SLOW, of "
            "whose numbers the last ones may be left out"},
    Setting{
        "ropeFactor",
        [](Options& to, Value value) { return read(value, to.variants.rope_attention_factor); }},
    Setting{"alibi", [](Options& to, Value value) { return read(value, to.variants.alibi); }},
    Setting{"window", [](Options& to, Value value) { return read(value, to.variants.window); }},
    Setting{"windowBoth",
            [](Options& to, Value value) { return read(value, to.variants.window_both_ways); }},
    Setting{"positionBias",
            [](Options& to, Value value) {
              return read(files::position_bias_named(value), to.variants.position_bias);
            },
            "none, given, t5, t5-look-back or window"},
    Setting{
        "positionBiasDistance",
        [](Options& to, Value value) { return read(value, to.variants.position_bias_distance); }},
    Setting{"softcap", [](Options& to, Value value) { return read(value, to.variants.softcap); }},
    Setting{"sink", [](Options& to,
                       Value value) { return read(base::read_float(value), to.variants.sink); }},
    Setting{"qkNorm", [](Options& to, Value value) { return read(value, to.variants.qk_norm); }},
    Setting{"normPlace",
            [](Options& to, Value value) {
              return read(files::norm_place_named(value), to.variants.norm_place);
            },
            "heads, rotated or all"},
    Setting{"normEps", [](Options& to, Value value) { return read(value, to.variants.norm_eps); }},
};

/// Stores what a JSON object of settings says, each a text. Errors: a word that is not known.
base::Result<void> read_settings(std::string_view json, Options& options) {
  base::JsonReader reader(json);
  while (reader.take('{') || reader.take(',')) {
    std::string name;
    std::string value;
    if (!reader.read_text(name) || !reader.take(':') || !reader.read_text(value)) break;
    const auto* setting = std::find_if(settings.begin(), settings.end(),
                                       [&](const Setting& each) { return each.name == name; });
    if (setting == settings.end()) return base::fail(name + " is not known.");
    if (!setting->store(options, value)) {
      return base::fail(name + " is " + files::in_quotes(value) + "; it must be " +
                        std::string(setting->allowed) + ".");
    }
  }
  return {};
}

base::Result<model::Model> model_of(const std::vector<Input>& inputs, const Options& options) {
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

/// Computes everything, with the settings that are in engine_text. Gives the number of tensors; 0
/// where something is wrong, with a sentence about it, whose address engine_name(0) then gives.
EXPORTED(engine_run)
std::size_t engine_run() {
  Engine& made = engine();
  Options options;
  const base::Result<void> settled = read_settings(made.text, options);
  base::Result<model::Model> model =
      settled ? model_of(made.inputs, options) : base::fail(settled.error());
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
