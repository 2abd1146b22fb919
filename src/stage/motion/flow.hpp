// The flow of an attention: where each tensor stands on its way, and what leads to what.
#pragma once

#include <optional>
#include <span>

#include "attention/trace.hpp"
#include "lesson/steps/step.hpp"

namespace stage {

/// Where a tensor stands in the flow. `column` for a step with few tensors, `overview` for the
/// whole way, where neighbours share a column; lanes keep Q above K above V. `beside`: in the same
/// lane, to the right of the one before (a bias).
struct Place {
  attention::TensorId tensor = attention::TensorId::query_input;
  int column = 0;
  int overview = 0;
  int lane = 0;
  bool beside = false;

  friend bool operator==(const Place&, const Place&) = default;
};

/// Every tensor's place, in the order of the computation.
std::span<const Place> places();

/// Where a tensor stands in this step. When values are mixed, they stand under the weights that mix
/// them.
Place place_in(const Place& place, lesson::StepId step);

/// Columns whose lanes are one line of the flow each: they align across columns.
constexpr bool has_lanes(int column) { return column >= 2 && column <= 5; }

/// One arrow of the flow.
struct Flow {
  attention::TensorId from;
  attention::TensorId to;
  /// Set for a shortcut: it is drawn where none of what lies between is on the stage.
  std::optional<attention::TensorId> past = std::nullopt;
};

/// Every arrow there can be.
std::span<const Flow> flows();

}  // namespace stage
