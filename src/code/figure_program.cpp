#include "code/figure_program.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "code/row_writer.hpp"
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
  FigureProgram(const model::Trace& trace, Library library) : RowWriter(trace, library, "") {}

  std::optional<std::string> text(std::string_view title) {
    for (const model::Pin& pin : trace().pins) numbers_ += pin.values.size();
    emit_all();
    const std::string shown = "shown = " + literal(trace()[roles::output]);
    if (numbers_ > most_numbers || missing() != nullptr) return std::nullopt;
    const std::string rows = body();
    std::string text =
        "import " + std::string(is_numpy() ? "numpy as np" : "torch") + "\n\n# " +
        std::string(title) +
        "\n# Every tensor is a variable of its name, computed from those that are given.\n";
    if (functions().find("HIDDEN") != std::string::npos)
      text += "HIDDEN = float(\"-inf\")  # added to a score, it hides a key from a query\n";
    text += functions() + (functions().empty() ? "\n" : "\n\n");
    text += "# Given.\n";
    for (const std::string& line : sizes()) text += line + "\n";
    text += given_ + "\n# One row after another.\n" + rows;
    text +=
        "\n" + shown + "\nprint(output)\nprint(\"largest difference:\", " +
        (is_numpy() ? "np.abs(output - shown).max())" : "(output - shown).abs().max().item())") +
        "\n";
    return text;
  }

 private:
  std::string literal(const Tensor& tensor) {
    numbers_ += tensor.size();
    if (numbers_ > most_numbers) return "";
    return is_numpy() ? files::numpy_array(tensor) : files::pytorch_tensor(tensor);
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
    } else if (const Tensor once = without_repeats(tensor); once.size() < tensor.size()) {
      given_ += name + " = " + std::string(xp()) + ".broadcast_to(" + literal(once) + ", (" +
                shape_of(trace().axes_of(id)) + "))\n";
    } else {
      given_ += name + " = " + literal(tensor) + "\n";
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

  std::string given_;  ///< the lines of what is given
  std::vector<TensorId> literals_;
  std::set<TensorId> asked_;  ///< gradients whose rows are looked for
  std::size_t numbers_ = 0;
};

}  // namespace

std::optional<std::string> figure_program(const model::Trace& trace, std::string_view title,
                                          Library library) {
  return FigureProgram(trace, library).text(title);
}

}  // namespace code
