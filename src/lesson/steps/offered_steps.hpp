// The steps that readers of a figure can go to: all, or those that its author chose.
#pragma once

#include <bitset>
#include <optional>
#include <span>

#include "lesson/steps/step.hpp"

namespace lesson {

class OfferedSteps {
 public:
  /// All of them.
  OfferedSteps() { offered_.set(); }
  explicit OfferedSteps(std::span<const StepId> steps);

  bool has(StepId step) const { return offered_.test(static_cast<std::size_t>(step)); }
  /// The nearest one after `step`, which need not be offered itself; the map is the last.
  std::optional<StepId> after(StepId step) const;
  std::optional<StepId> before(StepId step) const;
  StepId first() const;

 private:
  std::bitset<step_count> offered_;
};

}  // namespace lesson
