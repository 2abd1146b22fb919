#include "code/program.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <vector>

#include "files/snippets.hpp"
#include "model/roles.hpp"

namespace code {
namespace {

using model::Node;
using model::TensorId;
using ops::Axes;
using ops::Axis;

constexpr std::string_view preamble = R"(import json
import struct
import sys
)";

constexpr std::string_view reading =
    R"(HIDDEN = float("-inf")  # added to a score, it hides a key from a query
TYPES = {"F32": "<f4", "F64": "<f8", "F16": "<f2", "BF16": "<u2", "BOOL": "?"}


def read(path):
    """The tensors of a .safetensors file by name, as float32; masks of booleans as they are."""
    with open(path, "rb") as file:
        data = file.read()
    first = 8 + struct.unpack("<Q", data[:8])[0]
    tensors = {}
    for name, entry in json.loads(data[8:first]).items():
        if name == "__metadata__" or entry["dtype"] not in TYPES:
            continue
        begin, end = entry["data_offsets"]
        numbers = np.frombuffer(data[first + begin:first + end], TYPES[entry["dtype"]])
        if entry["dtype"] == "BF16":  # the upper half of a float32
            numbers = (numbers.astype(np.uint32) << 16).view(np.float32)
        numbers = numbers.astype(bool if entry["dtype"] == "BOOL" else np.float32).reshape(entry["shape"])
        tensors[name] = {numbers}
    return tensors


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

/// A literal for a path, whatever bytes it has.
std::string literal_of(std::string_view path) {
  std::string text = "\"";
  bool plain = true;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x20 && byte < 0x7F) {
      if (c == '"' || c == '\\') text += '\\';
      text += c;
      continue;
    }
    plain = false;
    std::array<char, 8> escape{};
    std::snprintf(escape.data(), escape.size(), "\\x%02x", static_cast<unsigned>(byte));
    text += escape.data();
  }
  text += '"';
  return plain ? text : "__import__(\"os\").fsdecode(b" + text + ")";
}

/// Nine digits tell every float32 from its neighbours.
std::string number(float value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.9g", static_cast<double>(value));
  return text.data();
}

/// The letter of an axis in an einsum.
char letter_of(Axis axis) {
  constexpr std::string_view letters = " bijleahdmnfgrkv";  // in the order of Axis
  static_assert(letters.size() == ops::axis_count);
  return letters[static_cast<std::size_t>(axis)];
}

std::string letters_of(const Axes& axes) {
  std::string text;
  for (const Axis axis : axes) text += letter_of(axis);
  return text;
}

const Writing* writing_of(const ops::Operation& operation) {
  const auto all = writings();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Writing& writing) {
    return writing.operation == operation.name;
  });
  return found == all.end() ? nullptr : &*found;
}

class Program {
 public:
  Program(const model::Part& part, const Source& source, Library library)
      : trace_(part.trace), source_(source), library_(library) {}

  base::Result<std::string> text() {
    sizes();
    inputs();
    say("");
    say("# One row after another.");
    bool in_gradients = false;
    for (const Node& row : trace_.nodes) {
      if (row.on_demand) continue;
      if (row.id.is_gradient() && !in_gradients) {
        in_gradients = true;
        say("");
        say("# Gradients: from the loss back.");
        say("d_loss = " + std::string(xp()) + (is_numpy() ? ".float32(1)" : ".tensor(1.0)"));
        made_[TensorId("loss").gradient()] = "d_loss";
      }
      emit(row.id);
    }
    if (missing_ != nullptr)
      return base::fail("The operation " + std::string(missing_->name) +
                        " cannot be written as code.");
    return assembled();
  }

 private:
  bool is_numpy() const { return library_ == Library::numpy; }
  std::string_view xp() const { return is_numpy() ? "np" : "torch"; }
  bool in_file(std::string_view name) const { return source_.file.find(name) != nullptr; }

  /// A line of the function that computes.
  void say(const std::string& line) { body_ += (line.empty() ? "" : "    " + line) + '\n'; }
  void give(TensorId id, const std::string& expression) {
    say(std::string(name_of(id)) + " = " + expression);
    made_[id] = name_of(id);
  }
  void need(std::string_view helper) {
    if (helper.empty() || std::count(needed_.begin(), needed_.end(), helper) > 0) return;
    for (const Helper& each : helpers()) {
      if (each.name == helper) need(each.needs);
    }
    needed_.push_back(helper);
  }

  void sizes() {
    const model::Config& config = trace_.config;
    const auto sized = [&](const std::string& names, std::initializer_list<std::size_t> lengths) {
      std::string text;
      for (const std::size_t length : lengths)
        text += (text.empty() ? "" : ", ") + std::to_string(length);
      say(names + " = " + text);
    };
    sized("B, Lq, Lk, E", {config.batch, config.query_len, config.key_len, config.embed_dim});
    sized("kdim, vdim", {config.kdim, config.vdim});
    sized("H, D", {config.num_heads, config.head_dim()});
    if (config.is_grouped())
      sized("G, R", {config.num_kv_heads, config.num_heads / config.num_kv_heads});
  }

  /// How long an axis is, in the variables of the program.
  std::string length_of(Axis axis) const {
    switch (axis) {
      case Axis::A:
        return trace_.config.own_head_dim == 0 ? "E" : "H * D";
      case Axis::K:
        return "G * D";
      default:
        return std::string(name_of(axis));
    }
  }

  std::string shape_of(const Axes& axes) const {
    std::string text;
    for (const Axis axis : axes) text += (text.empty() ? "" : ", ") + length_of(axis);
    return text;
  }
  /// A tensor of the file, with a batch axis.
  std::string batched(std::string_view name) const {
    const std::string read = "file[\"" + std::string(name) + "\"]";
    return source_.file.find(name)->shape.rank() == 2 ? read + "[None]" : read;
  }

  void inputs() {
    say("# What the file gives.");
    give(model::roles::query, batched("query"));
    give(model::roles::key, in_file("key") ? batched("key") : "query_input");
    give(model::roles::value, in_file("value") ? batched("value") : "key_input");
    const std::string A = length_of(Axis::A);
    const std::string K = trace_.config.is_grouped() ? "G * D" : A;
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
        if (trace_.has(id) && in_file(name)) give(id, "file[\"" + name + "\"]");
      }
      if (in_file("out_proj." + kind))
        give(*model::tensor_named("out_proj_" + kind), "file[\"out_proj." + kind + "\"]");
    }
    for (const std::string name : {"q_norm_weight", "k_norm_weight", "sinks"})
      if (const TensorId id = *model::tensor_named(name); in_file(name) && trace_.has(id))
        give(id, "file[\"" + name + "\"]");
    const char* full = is_numpy() ? "np.full(H, np.float32(" : "torch.full((H,), float(";
    if (trace_.has("sinks") && !in_file("sinks"))
      give("sinks", full + number(*trace_.config.variants.sink) + "))");
    if (trace_.has(model::roles::mask)) mask();
    if (trace_.has("target")) give("target", batched("target"));
  }

  /// The masks of the file and those that were asked for, added up.
  void mask() {
    std::vector<std::string> parts;
    if (in_file("attn_mask")) {
      const tensor::Shape& shape = source_.file.find("attn_mask")->shape;
      const model::Config& config = trace_.config;
      const bool per_head = shape.rank() == 3 && shape[0] == config.batch * config.num_heads;
      parts.push_back("additive(file[\"attn_mask\"])" +
                      std::string(per_head            ? ".reshape(B, H, Lq, Lk)"
                                  : shape.rank() == 3 ? "[:, None]"
                                                      : ""));
    }
    if (in_file("key_padding_mask"))
      parts.emplace_back("additive(file[\"key_padding_mask\"]).reshape(B, 1, 1, Lk)");
    const std::size_t window = trace_.config.variants.window;
    if (source_.options.causal || window > 0) {
      say("query, key = " + std::string(xp()) + ".arange(Lq)[:, None], " + std::string(xp()) +
          ".arange(Lk)");
    }
    if (source_.options.causal) parts.emplace_back("additive(key > query)");
    if (window > 0) {
      parts.push_back("additive((key > query) | (key <= query - " + std::to_string(window) + "))");
    }
    need("additive");
    for (std::size_t i = 0; i < parts.size(); ++i)
      say((i == 0 ? "mask = " : "mask = mask + ") + parts[i]);
    give(model::roles::mask, std::string(xp()) + ".broadcast_to(mask, (B, H, Lq, Lk))");
  }

  /// A name of its own for each part of a gradient.
  std::string variable_of(TensorId id) {
    std::string name = files::identifier(name_of(id));
    if (!id.is_gradient() || id.is_whole_gradient()) return name;
    const std::size_t count = ++parts_[id.value()];
    return name + "_part" + std::to_string(count);
  }

  /// The line of a row, behind those of its operands.
  void emit(TensorId id) {
    if (made_.count(id) > 0) return;
    const Node* row = trace_.made_by(id);
    if (row == nullptr) return;
    for (const TensorId operand : row->operands()) emit(operand);
    const Writing* writing = writing_of(*row->operation);
    if (writing == nullptr) {
      missing_ = row->operation;
      return;
    }
    need(writing->helper);
    const std::string name = variable_of(id);
    std::string line = name + " = " + filled(writing->call, *row);
    // Behind the line: the shape.
    constexpr std::size_t column = 72;
    line += line.size() < column ? std::string(column - line.size(), ' ') : "  ";
    say(line + "# [" + shape_of(row->axes) + "]");
    made_[id] = name;
  }

  const std::string& operand(const Node& row, std::size_t place) { return made_[row.of[place]]; }
  Axes axes_of(const Node& row, std::size_t place) const { return trace_.axes_of(row.of[place]); }

  std::string filled(std::string_view call, const Node& row) {
    std::string text;
    while (!call.empty()) {
      const std::size_t open = call.find('{');
      text += call.substr(0, open);
      if (open == std::string_view::npos) break;
      const std::size_t close = call.find('}', open);
      text += meaning(call.substr(open + 1, close - open - 1), row);
      call.remove_prefix(close + 1);
    }
    return text;
  }

  /// What stands for {word} in a row.
  std::string meaning(std::string_view word, const Node& row) {
    if (word == "xp") return std::string(xp());
    if (word == "shape") return shape_of(row.axes);
    if (word == "letters") return letters(row, 2);
    if (word == "product") return product(row);
    if (word == "sum") return sum(row);
    if (word == "spread") return spread(row, 0, true);
    if (word == "divisor") return number(trace_.constants.divisor);
    if (word == "rope_base") return number(trace_.constants.rope_base);
    if (word == "softcap") return number(trace_.constants.softcap);
    if (word == "+2") return row.count > 2 ? " + " + spread(row, 2, false) : "";
    if (word == "*") {
      std::string all;
      for (std::size_t i = 0; i < row.count; ++i) all += (i > 0 ? ", " : "") + operand(row, i);
      return all;
    }
    if (word[0] == '~') return spread(row, static_cast<std::size_t>(word[1] - '0'), false);
    return operand(row, static_cast<std::size_t>(word[0] - '0'));
  }

  /// "bihd,bjhd->bhij", in quotes.
  std::string letters(const Node& row, std::size_t most) const {
    std::string text = "\"";
    for (std::size_t i = 0; i < std::min(row.count, most); ++i)
      text += (i > 0 ? "," : "") + letters_of(axes_of(row, i));
    return text + "->" + letters_of(row.axes) + '"';
  }

  std::string einsum(const Node& row, std::size_t count) {
    std::string text = std::string(xp()) + ".einsum(" + letters(row, count);
    for (std::size_t i = 0; i < count; ++i) text += ", " + operand(row, i);
    return text + (is_numpy() && count > 1 ? ", optimize=True)" : ")");
  }

  /// x · Wᵀ where it is that, else an einsum.
  std::string product(const Node& row) {
    const Axes x = axes_of(row, 0);
    const Axes weight = axes_of(row, 1);
    const bool is_linear = weight.rank() == 2 && weight[0] == row.axes.back() &&
                           weight[1] == x.back() && !x.has(weight[0]);
    return is_linear ? operand(row, 0) + " @ " + operand(row, 1) + ".T" : einsum(row, 2);
  }

  /// Over the letters that the result lacks; a view where it lacks none.
  std::string sum(const Node& row) {
    const Axes from = axes_of(row, 0);
    const bool lacks =
        std::any_of(from.begin(), from.end(), [&](Axis letter) { return !row.axes.has(letter); });
    return lacks ? einsum(row, 1) : spread(row, 0, true);
  }

  /// An operand with the axes of the result in their order; `whole`: repeated along those that it
  /// lacks, else these have length 1, or are left to broadcasting where they come first.
  std::string spread(const Node& row, std::size_t place, bool whole) {
    const Axes from = axes_of(row, place);
    std::string text = operand(row, place);
    std::string order;
    bool in_order = true;
    std::size_t next = 0;
    std::string index;
    bool any_missing = false;
    bool missing_inside = false;
    for (const Axis letter : row.axes) {
      const std::size_t at = from.place_of(letter);
      const bool missing = at == from.rank();
      any_missing = any_missing || missing;
      missing_inside = missing_inside || (missing && next > 0);
      index += std::string(index.empty() ? "" : ", ") + (missing ? "None" : ":");
      if (missing) continue;
      in_order = in_order && at == next++;
      order += (order.empty() ? "" : ", ") + std::to_string(at);
    }
    if (!in_order) text += (is_numpy() ? ".transpose(" : ".permute(") + order + ")";
    if (missing_inside) text += "[" + index + "]";
    if (!whole || !any_missing) return text;
    return std::string(xp()) + ".broadcast_to(" + text + ", (" + shape_of(row.axes) + "))";
  }

  std::string assembled() const {
    std::string text = "#!/usr/bin/env python3\n";
    text += "\"\"\"Multi-head attention, as attention-live " ATTENTION_LIVE_VERSION
            " computes it: every tensor of a layer.\n\n"
            "    python3 THIS.py OUT.safetensors [IN.safetensors]\n\"\"\"\n";
    text += preamble;
    text += "\nimport numpy as np\n";
    if (!is_numpy()) text += "import torch\n";
    text += "\nIN = " + literal_of(source_.path) + '\n';
    std::string read(reading);
    constexpr std::string_view stored = "tensors[name] = {numbers}";
    read.replace(
        read.find(stored), stored.size(),
        is_numpy() ? "tensors[name] = numbers" : "tensors[name] = torch.from_numpy(numbers)");
    text += read;
    for (const std::string_view name : needed_) {
      for (const Helper& helper : helpers()) {
        if (helper.name == name)
          text += "\n\n" + std::string(is_numpy() ? helper.numpy : helper.pytorch);
      }
    }
    text +=
        "\n\ndef compute(file):\n"
        "    \"\"\"Every tensor by name, from those of the file.\"\"\"\n";
    text += body_ + "    return dict(\n" + results() + "    )\n";
    text +=
        "\n\nif __name__ == \"__main__\":\n"
        "    write(sys.argv[1], compute(read(sys.argv[2] if len(sys.argv) > 2 else IN)))\n";
    return text;
  }

  /// What a trace holds, in its order: parts of gradients are not among it.
  std::string results() const {
    std::string text;
    std::string line;
    for (const bool gradients : {false, true}) {
      for (const auto& [id, variable] : made_) {
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

  const model::Trace& trace_;
  const Source& source_;
  Library library_;
  std::string body_;
  std::vector<std::string_view> needed_;     ///< helpers, each behind those that it calls
  std::map<TensorId, std::string> made_;     ///< the variable of each tensor, in the tables' order
  std::map<TensorId, std::size_t> parts_;    ///< how many parts of a gradient have a variable
  const ops::Operation* missing_ = nullptr;  ///< one that cannot be written
};

}  // namespace

base::Result<std::string> program(const model::Part& part, const Source& source, Library library) {
  return Program(part, source, library).text();
}

}  // namespace code
