// The steps of the lesson, each one idea on one screen.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

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

/// The texts of a step and the tensors that it shows.
struct Step {
  StepId id = StepId::overview;
  std::string_view name;      ///< in links and the API: "softmax"
  std::string_view label;     ///< in the step bar: "softmax"
  std::string_view title;     ///< a heading: "Turn scores into weights"
  std::string_view sentence;  ///< what happens, in one short sentence beside the title
  std::string_view text;      ///< two to four plain sentences
  std::string_view
      formula;  ///< in symbols the fonts have: "attention_weights = softmax(masked_scores)"
  /// The tensors that this step reads and makes, in reading order. Those that exist are shown.
  std::span<const model::TensorId> tensors;
};

/// All steps in their order.
std::span<const Step> steps();
const Step& step(StepId id);
/// The step that makes a tensor, or the first that shows it if it is given. Never the map.
StepId step_making(model::TensorId tensor);

}  // namespace lesson
