// Rows of a trace as lines of Python: one for each, behind those of its operands.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "code/writing.hpp"
#include "model/trace.hpp"

namespace code {

/// Nine digits, which tell every float32 from its neighbours.
std::string number_text(float value);

class RowWriter {
 public:
  /// The trace must outlive it. `indent` stands before each line.
  RowWriter(const model::Trace& trace, Library library, std::string indent)
      : trace_(trace), library_(library), indent_(std::move(indent)) {}
  virtual ~RowWriter() = default;
  RowWriter(const RowWriter&) = delete;
  RowWriter& operator=(const RowWriter&) = delete;

 protected:
  const model::Trace& trace() const { return trace_; }
  Library library() const { return library_; }
  bool is_numpy() const { return library_ == Library::numpy; }
  std::string_view xp() const { return is_numpy() ? "np" : "torch"; }

  /// A line of the computation.
  void say(const std::string& line) { body_ += (line.empty() ? "" : indent_ + line) + '\n'; }
  /// A line that gives a tensor.
  void give(model::TensorId id, const std::string& expression);
  /// The function of a helper, and those that it calls.
  void need(std::string_view helper);

  /// A line that is elsewhere gives the tensor under this name.
  void known_as(model::TensorId id, const std::string& name) { made_[id] = name; }
  /// A name for a variable, of its own for each part of a gradient.
  std::string variable_of(model::TensorId id);

  /// Lines that say how long each axis is: B, Lq, …
  std::vector<std::string> sizes() const;
  /// How long an axis is, in the variables of the program.
  std::string length_of(ops::Axis axis) const;
  std::string shape_of(const ops::Axes& axes) const;

  /// The lines of all rows, gradients last.
  void emit_all();
  /// The line of a row, behind those of its operands, and of what was written over its cells.
  void emit(model::TensorId id);
  /// Called for a tensor that no row here computes, or whose operation cannot be written. The
  /// latter is refused where this gives no line.
  virtual void emit_given(model::TensorId id) = 0;
  bool is_made(model::TensorId id) const { return made_.count(id) > 0; }

  const std::string& body() const { return body_; }
  /// The functions that the lines call.
  std::string functions() const;
  /// The variable of each tensor, in the order of the tables.
  const std::map<model::TensorId, std::string>& made() const { return made_; }
  /// Why there is no program; nothing if there is one.
  std::optional<std::string> problem() const;

 private:
  void emit_pins(const model::Node& row);
  const std::string& operand(const model::Node& row, std::size_t place) {
    return made_[row.of[place]];
  }
  ops::Axes axes_of(const model::Node& row, std::size_t place) const {
    return trace_.axes_of(row.of[place]);
  }
  std::string filled(std::string_view call, const model::Node& row);
  std::string meaning(std::string_view word, const model::Node& row);
  std::string rope(const model::Node& row);
  std::string biases() const;
  std::string letters(const model::Node& row, std::size_t most) const;
  std::string misread(const model::Node& row, bool result);
  std::string einsum(const model::Node& row, std::size_t count);
  std::string product(const model::Node& row);
  std::string sum(const model::Node& row);
  std::string spread(const model::Node& row, std::size_t place, bool whole);

  const model::Trace& trace_;
  Library library_;
  std::string indent_;
  std::string body_;
  std::vector<std::string_view> needed_;          ///< helpers, each behind those that it calls
  std::map<model::TensorId, std::string> made_;   ///< the variable of each tensor
  std::map<model::TensorId, std::size_t> parts_;  ///< how many parts of a gradient have one
  const ops::Operation* missing_ = nullptr;       ///< cannot be written
};

}  // namespace code
