// What the reader may change in a step of a lesson.
#pragma once

#include <array>
#include <string_view>

#include "document/document.hpp"

namespace document {

struct Allowed {
  bool edit = true;      ///< numbers: inputs, weights, masks, targets
  bool head = true;      ///< head, attention, sample
  bool query = true;     ///< query and key
  bool step = true;      ///< the step of the computation
  bool settings = true;  ///< mask, scale, sizes, sentence, seed, mistakes, training
  bool example = true;
};
/// In the order of the fields.
inline constexpr auto allowed_names =
    std::to_array<std::string_view>({"edit", "head", "query", "step", "settings", "example"});

/// Whether a command is one of those. What only shows things differently, and choosing a cell,
/// always is.
bool allows(const Allowed& allowed, const Command& command);

}  // namespace document
