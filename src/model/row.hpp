// A row of a table: what a tensor is called, what its axes count, and what it is made of.
#pragma once

#include <array>
#include <string_view>

#include "ops/operation.hpp"

namespace model {

/// A row as written in src/model/tables. One without an operation has to be given: an input, a
/// weight, a mask. One with an operation may be given too; it is not computed then.
struct Row {
  std::string_view name;
  ops::Axes axes;
  const ops::Operation* operation;
  std::array<std::string_view, 3> of;  ///< names of other rows; fewer than three end with ""
  /// Too large to keep for all queries: computed for one query at a time, when asked for.
  bool on_demand;

  constexpr Row(std::string_view named, ops::Axes letters,
                const ops::Operation& made_by = ops::given,
                std::array<std::string_view, 3> made_of = {}, bool when_asked = false)
      : name(named), axes(letters), operation(&made_by), of(made_of), on_demand(when_asked) {}
};

inline constexpr bool on_demand = true;

}  // namespace model
