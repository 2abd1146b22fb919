// Puts numbers that were typed, dragged or pasted into cells into a configuration.
#pragma once

#include <vector>

#include "document/computed.hpp"

namespace document {

/// The configuration with these edits, which replace earlier ones of the same cells. An edit of
/// attention_weights sets its row by hand without rescaling the others. `computed` belongs to
/// `configuration`. Errors: an attention or a weight that is not there. `shortest` checks the rest.
base::Result<Configuration> with_cells(Configuration configuration, const Computed& computed,
                                       const std::vector<Edit>& edits);

/// The row of attention_weights that holds the cell [b,h,query,key], as it is now. Errors: no such
/// attention or cell.
base::Result<GivenRow> row_of_weights(const Computed& computed, const CellAddress& cell);

/// The row with `weights[key]` set to `value` and the others scaled by one factor, so that the
/// total stays the same (1 if it was 0). If all others are 0, they share the rest equally; if
/// `value` is more than the total, they become 0. `key` must be inside; weights and value must be
/// finite and not negative.
std::vector<float> rescaled(const std::vector<float>& weights, std::size_t key, float value);

/// `row` as `rescaled` leaves it when its weight `key` is set to `value`. Errors: a value
/// that is not from 0 to 1.
base::Result<GivenRow> dragged(GivenRow row, std::size_t key, float value);

}  // namespace document
