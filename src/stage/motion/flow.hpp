// The flow of an attention: where each tensor stands, and which tensors lead to which.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "lesson/steps/step.hpp"
#include "model/trace.hpp"

namespace stage {

/// Where a tensor stands in the flow. `column` applies to steps with few tensors; `overview` to the
/// map, where neighbours share columns. Lanes keep Q above K above V. `beside`: to the right of the
/// previous tensor of its lane (a bias); else it stands below it where both share column and lane.
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

/// A tensor's place; nothing for one that no step shows, such as those of the rows around an
/// attention.
std::optional<Place> find_place(model::TensorId tensor);

/// Where a tensor stands in this step of this attention. Values that are being mixed stand below
/// the weights that mix them.
Place place_in(const Place& place, lesson::StepId step, const model::Trace& trace);

/// Whether a column has lanes, which are aligned with those of its neighbours.
constexpr bool has_lanes(int column) { return column >= 2 && column <= 10; }

/// One arrow of the flow.
struct Flow {
  model::TensorId from;
  model::TensorId to;
  /// Set for a shortcut, which is drawn only if this tensor between its ends is not on the stage.
  std::optional<model::TensorId> past = std::nullopt;
};

/// The arrows between tensors, from the rows of the trace. Some pass through another tensor:
/// through the weight from x to its projection, through what is shown on demand from weights to
/// sums, and through a view from its original to the tensor that reads it.
std::vector<Flow> flows_of(const model::Trace& trace);

}  // namespace stage
