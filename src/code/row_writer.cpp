#include "code/row_writer.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <initializer_list>

#include "files/snippets.hpp"

namespace code {

using model::Node;
using model::TensorId;
using ops::Axes;
using ops::Axis;

namespace {

/// The letter of an axis in an einsum.
char letter_of(Axis axis) {
  constexpr std::string_view letters = " bijleahdmnfgrkvpt";  // in the order of Axis
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

/// What is said behind a line that writes over cells.
std::string_view reason_of(const model::Pin& pin) {
  if (pin.tensor == TensorId("target")) return "";
  if (pin.rule == ops::Rule::given_by_hand) return "  # set by hand";
  if (pin.rule == ops::Rule::ablated) return "  # switched off";
  return "";
}

/// "(0, 1)", "(2,)"
std::string tuple_of(const tensor::Index& index) {
  std::string text;
  for (const std::size_t each : index) text += (text.empty() ? "" : ", ") + std::to_string(each);
  return "(" + text + (index.rank() == 1 ? ",)" : ")");
}

}  // namespace

std::string number_text(float value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.9g", static_cast<double>(value));
  return text.data();
}

void RowWriter::give(TensorId id, const std::string& expression) {
  say(std::string(name_of(id)) + " = " + expression);
  known_as(id, std::string(name_of(id)));
}

void RowWriter::need(std::string_view helper) {
  if (helper.empty() || std::count(needed_.begin(), needed_.end(), helper) > 0) return;
  for (const Helper& each : helpers()) {
    if (each.name != helper) continue;
    for (std::string_view rest = each.needs; !rest.empty();) {
      const std::size_t end = std::min(rest.find(' '), rest.size());
      need(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  needed_.push_back(helper);
}

std::string RowWriter::functions() const {
  std::string text;
  for (const std::string_view name : needed_) {
    for (const Helper& helper : helpers()) {
      if (helper.name == name)
        text += "\n\n" + std::string(is_numpy() ? helper.numpy : helper.pytorch);
    }
  }
  return text;
}

std::optional<std::string> RowWriter::problem() const {
  if (missing_ == nullptr) return std::nullopt;
  return "The operation " + std::string(missing_->name) + " cannot be written as code.";
}

std::vector<std::string> RowWriter::sizes() const {
  const model::Config& config = trace_.config;
  std::vector<std::string> lines;
  const auto sized = [&](const std::string& names, std::initializer_list<std::size_t> lengths) {
    std::string text;
    for (const std::size_t length : lengths)
      text += (text.empty() ? "" : ", ") + std::to_string(length);
    lines.push_back(names + " = " + text);
  };
  sized("B, Lq, Lk, E", {config.batch, config.query_len, config.key_len, config.embed_dim});
  sized("kdim, vdim", {config.kdim, config.vdim});
  sized("H, D", {config.num_heads, config.head_dim()});
  if (config.is_grouped())
    sized("G, R", {config.num_kv_heads, config.num_heads / config.num_kv_heads});
  if (trace_.has("position_bias_table")) sized("N", {trace_["position_bias_table"].dim(0)});
  if (trace_.has("rope_frequencies")) sized("P", {config.rope_dims() / 2});
  return lines;
}

/// How long an axis is, in the variables of the program.
std::string RowWriter::length_of(Axis axis) const {
  switch (axis) {
    case Axis::A:
      return trace_.config.own_head_dim == 0 ? "E" : "H * D";
    case Axis::K:
      return "G * D";
    default:
      return std::string(name_of(axis));
  }
}

std::string RowWriter::shape_of(const Axes& axes) const {
  std::string text;
  for (const Axis axis : axes) text += (text.empty() ? "" : ", ") + length_of(axis);
  return text;
}

void RowWriter::emit_all() {
  bool in_gradients = false;
  for (const Node& row : trace_.nodes) {
    if (row.on_demand || row.operation == &ops::given) continue;
    if (row.id.is_gradient() && !in_gradients) {
      in_gradients = true;
      say("");
      say("# Gradients: from the loss back.");
    }
    emit(row.id);
  }
}

std::string RowWriter::variable_of(TensorId id) {
  std::string name = files::identifier(name_of(id));
  if (!id.is_gradient() || id.is_whole_gradient()) return name;
  const std::size_t count = ++parts_[id.value()];
  return name + "_part" + std::to_string(count);
}

void RowWriter::emit(TensorId id) {
  if (is_made(id)) return;
  const Node* row = trace_.made_by(id);
  if (row == nullptr && id == TensorId("loss").gradient())
    return give(id, std::string(xp()) + (is_numpy() ? ".float32(1)" : ".tensor(1.0)"));
  if (row == nullptr) return emit_given(id);
  const Writing* writing = writing_of(*row->operation);
  if (writing == nullptr) {
    emit_given(id);
    if (!is_made(id)) missing_ = row->operation;
    return;
  }
  for (const TensorId operand : row->operands()) emit(operand);
  need(writing->helper);
  const std::string name = variable_of(id);
  std::string line = name + " = " + filled(writing->call, *row);
  // Behind the line: the shape.
  constexpr std::size_t column = 72;
  line += line.size() < column ? std::string(column - line.size(), ' ') : "  ";
  say(line + "# [" + shape_of(row->axes) + "]");
  made_[id] = name;
  emit_pins(*row);
}

void RowWriter::emit_pins(const Node& row) {
  const std::string& name = made_[row.id];
  for (const model::Pin& pin : trace_.pins_on(row.id)) {
    need("put");
    const bool one = pin.values.size() == 1;
    const std::string numbers = one          ? files::float_text(pin.values.values().front())
                                : is_numpy() ? files::numpy_array(pin.values)
                                             : files::pytorch_tensor(pin.values);
    say(name + " = put(" + name + ", " + tuple_of(pin.begin) + ", " + numbers + ")" +
        std::string(reason_of(pin)));
  }
}

std::string RowWriter::filled(std::string_view call, const Node& row) {
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
std::string RowWriter::meaning(std::string_view word, const Node& row) {
  if (word == "xp") return std::string(xp());
  if (word == "shape") return shape_of(row.axes);
  if (word == "letters") return letters(row, 2);
  if (word == "misread") return misread(row, false);
  if (word == "misread_result") return misread(row, true);
  if (word == "product") return product(row);
  if (word == "sum") return sum(row);
  if (word == "spread") return spread(row, 0, true);
  if (word == "divisor") return number_text(trace_.constants.divisor);
  if (word == "rope") return rope(row);
  if (word == "eps" && trace_.constants.rms_eps == ops::Constants{}.rms_eps) return "";
  if (word == "eps") return ", eps=" + number_text(trace_.constants.rms_eps);
  if (word == "biases") return biases();
  if (word == "softcap") return number_text(trace_.constants.softcap);
  if (word == "+2") return row.count > 2 ? " + " + spread(row, 2, false) : "";
  if (word == "*") {
    std::string all;
    for (std::size_t i = 0; i < row.count; ++i) all += (i > 0 ? ", " : "") + operand(row, i);
    return all;
  }
  if (word[0] == '~') return spread(row, static_cast<std::size_t>(word[1] - '0'), false);
  return operand(row, static_cast<std::size_t>(word[0] - '0'));
}

std::string RowWriter::rope(const Node& row) {
  const ops::Constants& constants = trace_.constants;
  std::string text = number_text(constants.rope_base);
  if (constants.rope_dims > 0) text += ", dims=" + std::to_string(constants.rope_dims);
  if (constants.rope_neighbours) text += ", neighbours=True";
  if (row.count > 1) text += ", frequencies=" + operand(row, 1);
  if (constants.rope_factor != 1.0F) text += ", factor=" + number_text(constants.rope_factor);
  return text;
}

std::string RowWriter::biases() const {
  const ops::Constants& constants = trace_.constants;
  if (constants.distances == ops::Distances::shifted_windows) return "\"window\"";
  return std::string(constants.distances == ops::Distances::t5 ? "\"t5\"" : "\"t5-look-back\"") +
         ", " + std::to_string(constants.farthest);
}

/// "bihd,bjhd->bhij", in quotes.
std::string RowWriter::letters(const Node& row, std::size_t most) const {
  std::string text = "\"";
  for (std::size_t i = 0; i < std::min(row.count, most); ++i)
    text += (i > 0 ? "," : "") + letters_of(axes_of(row, i));
  return text + "->" + letters_of(row.axes) + '"';
}

std::string RowWriter::einsum(const Node& row, std::size_t count) {
  std::string text = std::string(xp()) + ".einsum(" + letters(row, count);
  for (std::size_t i = 0; i < count; ++i) text += ", " + operand(row, i);
  return text + (is_numpy() && count > 1 ? ", optimize=True)" : ")");
}

/// x · Wᵀ where it is that, else an einsum.
std::string RowWriter::product(const Node& row) {
  const Axes x = axes_of(row, 0);
  const Axes weight = axes_of(row, 1);
  const bool is_linear = weight.rank() == 2 && weight[0] == row.axes.back() &&
                         weight[1] == x.back() && !x.has(weight[0]);
  return is_linear ? operand(row, 0) + " @ " + operand(row, 1) + ".T" : einsum(row, 2);
}

/// Over the letters that the result lacks; a view where it lacks none.
std::string RowWriter::sum(const Node& row) {
  const Axes from = axes_of(row, 0);
  const bool lacks =
      std::any_of(from.begin(), from.end(), [&](Axis letter) { return !row.axes.has(letter); });
  return lacks ? einsum(row, 1) : spread(row, 0, true);
}

/// An operand with the axes of the result in their order; `whole`: repeated along those that it
/// lacks, else these have length 1, or are left to broadcasting where they come first.
std::string RowWriter::spread(const Node& row, std::size_t place, bool whole) {
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

/// The product of an operand whose last two axes are read as if they were swapped, or whose
/// result's are.
std::string RowWriter::misread(const Node& row, bool result) {
  const auto swapped = [](std::string text) {
    std::swap(text[text.size() - 1], text[text.size() - 2]);
    return text;
  };
  const std::string left = letters_of(axes_of(row, 0));
  const std::string right = letters_of(axes_of(row, 1));
  const std::string made = letters_of(row.axes);
  return std::string(xp()) + ".einsum(\"" + left + "," + (result ? right : swapped(right)) + "->" +
         (result ? swapped(made) : made) + "\", " + operand(row, 0) + ", " + operand(row, 1) + ")";
}

}  // namespace code
