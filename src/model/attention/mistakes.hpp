// The mistakes that are made in hand-written attention, as rows of the table that are others.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/attention/config.hpp"
#include "model/attention/overrides.hpp"
#include "model/node.hpp"

namespace model {

/// The rows that a mistake puts in the place of the right ones: tables/mistaken_rows.hpp.
std::span<const Node> rows_of(Mistake mistake);

/// A sentence where this mistake cannot even be computed at these sizes, else nothing.
std::optional<std::string> complaint_about(Mistake mistake, const Config& config);

}  // namespace model
