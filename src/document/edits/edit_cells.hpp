// Numbers typed, dragged or pasted into cells: what each makes of a configuration.
#pragma once

#include <vector>

#include "document/computed.hpp"

namespace document {

/// The configuration with these numbers in its cells, in place of those typed there before. A
/// weight is set as it is and its whole row is then given by hand; nothing is rescaled. `computed`
/// is the present configuration's. Errors: an attention that is not there; a weight outside or out
/// of bounds. Everything else is left to `shortest`.
base::Result<Configuration> with_cells(Configuration configuration, const Computed& computed,
                                       const std::vector<Edit>& edits);

/// The row of attention_weights that holds the cell [b,h,query,key], as it is now. Errors: no such
/// attention or cell.
base::Result<GivenRow> row_of_weights(const Computed& computed, const CellAddress& cell);

/// The row of weights after `key` was set to `value` and the others scaled, each by the same
/// factor, so that the total stays what it was: 1 after a softmax, 0.99 where a printed row sums to
/// that. Others that are all 0 share the rest equally. Where the value alone is more than the
/// total, the others become 0; a row of zeros gets the total 1. `key` must be inside; weights and
/// value must be finite and not negative.
std::vector<float> rescaled(const std::vector<float>& weights, std::size_t key, float value);

/// `row` as `rescaled` leaves it when its weight `key` is set to `value`. Errors: a value
/// that is not from 0 to 1.
base::Result<GivenRow> dragged(GivenRow row, std::size_t key, float value);

}  // namespace document
