// The flow of an attention: where each tensor stands on its way, and what leads to what.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "lesson/steps/step.hpp"
#include "model/trace.hpp"

namespace stage {

/// Where a tensor stands in the flow. `column` for a step with few tensors, `overview` for the
/// whole way, where neighbours share a column; lanes keep Q above K above V. `beside`: in the same
/// lane, to the right of the one before (a bias).
struct Place {
  model::TensorId tensor;
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
constexpr bool has_lanes(int column) { return column >= 2 && column <= 6; }

/// One arrow of the flow.
struct Flow {
  model::TensorId from;
  model::TensorId to;
  /// Set for a shortcut: it is drawn where none of what lies between is on the stage.
  std::optional<model::TensorId> past = std::nullopt;
};

/// Who reads what, from the rows of the trace. A weight stands in the way from x to what it makes;
/// what is shown on demand, between weights and sums; a view, between what it is a view of and its
/// reader.
std::vector<Flow> flows_of(const model::Trace& trace);

}  // namespace stage
