#include "code/program.hpp"

#include <vector>

#include "code/reading.hpp"
#include "code/row_writer.hpp"
#include "files/snippets.hpp"
#include "model/roles.hpp"

namespace code {
namespace {

using model::TensorId;
using ops::Axis;

constexpr std::string_view preamble = R"(import json
import struct
import sys
)";

constexpr std::string_view write_function =
    R"(

def write(path, tensors):
    """Every tensor as float32 in a .safetensors file."""
    header, data, end = {}, [], 0
    for name, tensor in tensors.items():
        numbers = np.asarray(tensor, dtype="<f4", order="C")
        header[name] = {"dtype": "F32", "shape": list(numbers.shape), "data_offsets": [end, end + numbers.nbytes]}
        data.append(numbers.tobytes())
        end += numbers.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + b"".join(data))
)";

class Program : public RowWriter {
 public:
  Program(const model::Part& part, const Source& source, Library library)
      : RowWriter(part.trace, library, "    "), source_(source) {}

  base::Result<std::string> text() {
    for (const std::string& line : sizes()) say(line);
    inputs();
    say("");
    say("# One row after another.");
    emit_all();
    if (const auto why = problem()) return base::fail(*why);
    return assembled();
  }

 private:
  bool in_file(std::string_view name) const { return source_.file.find(name) != nullptr; }

  /// All of it has a line before the rows.
  void emit_given(TensorId) override {}

  /// A tensor of the file, with a batch axis.
  std::string batched(std::string_view name) const {
    const std::string read = "file[\"" + std::string(name) + "\"]";
    return source_.file.find(name)->shape.rank() == 2 ? read + "[None]" : read;
  }

  void inputs() {
    say("# What the file gives.");
    if (source_.model != nullptr) return inputs_of_model();
    give(model::roles::query, batched("query"));
    give(model::roles::key, in_file("key") ? batched("key") : "query_input");
    give(model::roles::value, in_file("value") ? batched("value") : "key_input");
    const std::string A = length_of(Axis::A);
    const std::string K = trace().config.is_grouped() ? "G * D" : A;
    for (const std::string kind : {"weight", "bias"}) {
      const std::string packed = "in_proj_" + kind;
      if (in_file(packed)) {
        const auto part = [&](const std::string& letter, const std::string& range) {
          give(*model::tensor_named(letter + "_proj_" + kind),
               "file[\"" + packed + "\"][" + range + "]");
        };
        part("q", ":" + A);
        part("k", A + ":" + A + " + " + K);
        part("v", A + " + " + K + ":");
      }
      for (const std::string letter : {"q", "k", "v"}) {
        const std::string name = letter + "_proj_" + kind;
        const TensorId id = *model::tensor_named(name);
        if (trace().has(id) && in_file(name)) give(id, "file[\"" + name + "\"]");
      }
      if (in_file("out_proj." + kind))
        give(*model::tensor_named("out_proj_" + kind), "file[\"out_proj." + kind + "\"]");
    }
    for (const std::string name : {"q_norm_weight", "k_norm_weight", "rope_frequencies",
                                   "position_bias", "position_bias_table", "sinks"})
      if (const TensorId id = *model::tensor_named(name); in_file(name) && trace().has(id))
        give(id, "file[\"" + name + "\"]");
    what_no_file_has();
    if (trace().has("target")) give("target", batched("target"));
  }

  void inputs_of_model() {
    for (const auto& [id, expression] : source_.model->given)
      if (trace().has(id)) give(id, expression);
    what_no_file_has();
  }

  void what_no_file_has() {
    if (const TensorId id = "rope_frequencies"; trace().has(id) && !is_made(id))
      give(id, literal(trace()[id]));
    const char* full = is_numpy() ? "np.full(H, np.float32(" : "torch.full((H,), float(";
    if (trace().has("sinks") && !is_made("sinks"))
      give("sinks", full + number_text(*trace().config.variants.sink) + "))");
    if (trace().has(model::roles::mask)) mask();
  }

  std::string literal(const tensor::Tensor& tensor) const {
    return is_numpy() ? files::numpy_array(tensor) : files::pytorch_tensor(tensor);
  }

  /// The masks of the file and those that were asked for, added up.
  void mask() {
    std::vector<std::string> parts;
    if (in_file("attn_mask")) {
      const tensor::Shape& shape = source_.file.find("attn_mask")->shape;
      const model::Config& config = trace().config;
      const bool per_head = shape.rank() == 3 && shape[0] == config.batch * config.num_heads;
      parts.push_back("additive(file[\"attn_mask\"])" +
                      std::string(per_head            ? ".reshape(B, H, Lq, Lk)"
                                  : shape.rank() == 3 ? "[:, None]"
                                                      : ""));
    }
    if (in_file("key_padding_mask"))
      parts.emplace_back("additive(file[\"key_padding_mask\"]).reshape(B, 1, 1, Lk)");
    const std::size_t window = trace().config.variants.window;
    if (source_.options.causal || window > 0) {
      say("query, key = " + std::string(xp()) + ".arange(Lq)[:, None], " + std::string(xp()) +
          ".arange(Lk)");
    }
    if (source_.options.causal) parts.emplace_back("additive(key > query)");
    if (window > 0 && trace().config.variants.window_both_ways) {
      parts.push_back("additive(abs(query - key) >= " + std::to_string(window) + ")");
    } else if (window > 0) {
      parts.push_back("additive((key > query) | (key <= query - " + std::to_string(window) + "))");
    }
    need("additive");
    for (std::size_t i = 0; i < parts.size(); ++i)
      say((i == 0 ? "mask = " : "mask = mask + ") + parts[i]);
    give(model::roles::mask, std::string(xp()) + ".broadcast_to(mask, (B, H, Lq, Lk))");
  }

  std::string assembled() const {
    std::string text = "#!/usr/bin/env python3\n";
    text += "\"\"\"Multi-head attention, as attention-live " ATTENTION_LIVE_VERSION
            " computes it: every tensor of a layer.\n\n"
            "    python3 THIS.py OUT.safetensors [IN.safetensors]\n\"\"\"\n";
    text += preamble;
    text += "\nimport numpy as np\n";
    if (!is_numpy()) text += "import torch\n";
    const ModelSource* model = source_.model;
    if (model == nullptr) {
      text += "\nIN = " + path_literal(source_.path) + '\n';
    } else {
      text += "\nIN = " + list_of(model->paths) + "\nNAMES = " + list_of(model->names) + '\n';
    }
    text += hidden_line;
    text += model == nullptr ? reading(library()) : reading_of_some(library());
    text += write_function;
    text += functions();
    text +=
        "\n\ndef compute(file):\n"
        "    \"\"\"Every tensor by name, from those of the file.\"\"\"\n";
    text += body() + "    return dict(\n" + results() + "    )\n";
    text +=
        "\n\nif __name__ == \"__main__\":\n"
        "    write(sys.argv[1], compute(read(";
    text += model == nullptr ? "sys.argv[2] if len(sys.argv) > 2 else IN" : "sys.argv[2:] or IN";
    return text + ")))\n";
  }

  static std::string list_of(const std::vector<std::string>& texts) {
    std::string list = "[";
    for (const std::string& each : texts) list += "\n    " + path_literal(each) + ',';
    return list + "\n]";
  }

  /// What a trace holds, in its order: parts of gradients are not among it.
  std::string results() const {
    std::string text;
    std::string line;
    for (const bool gradients : {false, true}) {
      for (const auto& [id, variable] : made()) {
        if (id.is_gradient() != gradients || (gradients && !id.is_whole_gradient())) continue;
        const std::string entry = std::string(name_of(id)) + "=" + variable + ",";
        if (line.size() + entry.size() > 92) {
          text += "        " + line + '\n';
          line.clear();
        }
        line += (line.empty() ? "" : " ") + entry;
      }
    }
    return text + "        " + line + '\n';
  }

  const Source& source_;
};

}  // namespace

base::Result<std::string> program(const model::Part& part, const Source& source, Library library) {
  return Program(part, source, library).text();
}

}  // namespace code
