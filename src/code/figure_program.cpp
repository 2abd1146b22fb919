#include "code/figure_program.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "code/reading.hpp"
#include "code/row_writer.hpp"
#include "files/attention/trace_file.hpp"
#include "files/snippets.hpp"
#include "model/roles.hpp"

namespace code {
namespace {

using model::TensorId;
using tensor::Tensor;
namespace roles = model::roles;

/// With length 1 along axes on which it only repeats.
Tensor without_repeats(const Tensor& tensor) {
  Tensor once = tensor;
  for (std::size_t axis = 0; axis < tensor.rank(); ++axis)
    if (tensor.strides()[axis] == 0) once = once.narrow(axis, 0, 1);
  return once;
}

class FigureProgram : public RowWriter {
 public:
  /// Without `saved`, all numbers are written out.
  FigureProgram(const model::Trace& trace, Library library, const SavedTrace* saved)
      : RowWriter(trace, library, ""), saved_(saved) {}

  base::Result<FigureText> text(std::string_view title) {
    for (const model::Pin& pin : trace().pins) numbers_ += pin.values.size();
    emit_all();
    const std::string shown = "shown = " + given_tensor(roles::output, trace()[roles::output]);
    if (const auto why = problem()) return base::fail(*why);
    const std::string rows = body();
    std::string text = saved_ != nullptr ? "import json\nimport struct\n\n" : "";
    if (is_numpy() || saved_ != nullptr) text += "import numpy as np\n";
    if (!is_numpy()) text += "import torch\n";
    text += "\n# " + std::string(title) +
            "\n# Every tensor is a variable of its name, computed from those that are given.\n";
    if (saved_ != nullptr) {
      text += "# These are in the file that “All tensors (.safetensors)” saves.\nIN = " +
              path_literal(saved_->file) + "\n" + reading(library()) + "\n";
    }
    if (functions().find("HIDDEN") != std::string::npos) text += hidden_line;
    text += functions() + (functions().empty() ? "\n" : "\n\n");
    text += "# Given.\n";
    if (saved_ != nullptr) text += "file = read(IN)\n";
    for (const std::string& line : sizes()) text += line + "\n";
    text += given_ + "\n# One row after another.\n" + rows;
    text +=
        "\n" + shown + "\nprint(output)\nprint(\"largest difference:\", " +
        (is_numpy() ? "np.abs(output - shown).max())" : "(output - shown).abs().max().item())") +
        "\n";
    return FigureText{std::move(text), saved_ != nullptr};
  }

  /// How many are written out.
  std::size_t numbers() const { return numbers_; }

 private:
  std::string literal(const Tensor& tensor) {
    numbers_ += tensor.size();
    if (saved_ == nullptr && numbers_ > most_numbers) return "";
    return is_numpy() ? files::numpy_array(tensor) : files::pytorch_tensor(tensor);
  }

  std::string given_tensor(TensorId id, const Tensor& tensor) {
    // Parts of gradients are in no file.
    if (saved_ == nullptr || (id.is_gradient() && !id.is_whole_gradient())) return literal(tensor);
    return "file[\"" + files::tensor_name(saved_->attention, name_of(id)) + "\"]";
  }

  void emit_given(TensorId id) override {
    const Tensor& tensor = trace()[id];
    if (!tensor.defined()) return;
    if (id.is_gradient() && takes_from_a_row(id)) return;
    const std::string name = variable_of(id);
    const auto same = std::find_if(literals_.begin(), literals_.end(), [&](TensorId other) {
      return trace()[other].shares_storage_with(tensor) &&
             trace()[other].shape() == tensor.shape() && trace()[other].has_same_bits(tensor);
    });
    if (same != literals_.end()) {
      given_ += name + " = " + made().at(*same) + "\n";
    } else if (const Tensor once = without_repeats(tensor);
               saved_ == nullptr && once.size() < tensor.size()) {
      given_ += name + " = " + std::string(xp()) + ".broadcast_to(" + literal(once) + ", (" +
                shape_of(trace().axes_of(id)) + "))\n";
    } else {
      given_ += name + " = " + given_tensor(id, tensor) + "\n";
    }
    literals_.push_back(id);
    known_as(id, name);
  }

  /// A gradient that came by way of another tensor of this trace: what keys of self-attention pass
  /// on to the queries' input is their own gradient.
  bool takes_from_a_row(TensorId id) {
    // A row that is made of it itself has nothing to give.
    if (!asked_.insert(id).second) return false;
    // The last of those that are views of each other is the nearest.
    for (std::size_t i = trace().nodes.size(); i-- > 0;) {
      const model::Node& row = trace().nodes[i];
      if (row.id == id || row.on_demand || trace().made_by(row.id) == nullptr) continue;
      const Tensor& made = trace()[row.id];
      if (!made.defined() || made.shape() != trace()[id].shape() ||
          !made.shares_storage_with(trace()[id]))
        continue;
      emit(row.id);
      if (!is_made(id)) known_as(id, this->made().at(row.id));
      return true;
    }
    return false;
  }

  const SavedTrace* saved_;
  std::string given_;  ///< the lines of what is given
  std::vector<TensorId> literals_;
  std::set<TensorId> asked_;  ///< gradients whose rows are looked for
  std::size_t numbers_ = 0;
};

}  // namespace

base::Result<FigureText> figure_program(const model::Trace& trace, std::string_view title,
                                        Library library, const SavedTrace& saved) {
  FigureProgram written(trace, library, nullptr);
  auto text = written.text(title);
  if (!text || written.numbers() <= most_numbers) return text;
  return FigureProgram(trace, library, &saved).text(title);
}

}  // namespace code
