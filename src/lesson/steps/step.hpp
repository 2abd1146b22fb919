// The steps of the lesson, each one idea on one screen.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/trace.hpp"

namespace lesson {

enum class StepId : unsigned char {
  sentence,
  input,
  project,
  split,
  transpose,
  scores,
  scale,
  mask,
  softmax,
  reweight,
  merge,
  output,
  overview,  ///< the map of all others: last in the order, one key away from each
};
inline constexpr std::size_t step_count = static_cast<std::size_t>(StepId::overview) + 1;

/// A step and the tensors that it shows. Its texts are in the reader's language.
struct Step {
  StepId id = StepId::overview;
  std::string_view name;  ///< in links and the API: "softmax"
  /// The tensors that this step reads and makes, in reading order; with some variants of attention
  /// it reads others: shown_in says which are shown.
  std::span<const model::TensorId> tensors;

  std::string_view label() const;     ///< in the step bar: "softmax"
  std::string_view title() const;     ///< a heading: "Turn scores into weights"
  std::string_view sentence() const;  ///< what happens, in one short sentence beside the title
  std::string_view text() const;      ///< two to four plain sentences
  /// In symbols the fonts have: "attention_weights = softmax(masked_scores)".
  std::string_view formula() const;
};

/// All steps in their order.
std::span<const Step> steps();
const Step& step(StepId id);
/// The step that makes a tensor, or the first that shows it if it is given. Never the map.
StepId step_making(model::TensorId tensor);
/// Whether the step makes the tensor, or is the first that shows it, so that a cell of it is what
/// the step is about. The map is about all of them.
bool is_about(StepId id, model::TensorId tensor);

/// Those tensors of a step that it makes or reads in this attention, in reading order: where scores
/// are capped, it is these to which the mask is added.
std::vector<model::TensorId> shown_in(const Step& step, const model::Trace& trace);

}  // namespace lesson
