// The weights that a row's scores would have with another scale.
#pragma once

#include <vector>

#include "stage/figures/row_table.hpp"

namespace stage {

/// [Lk]: the softmax of the row's scores with this scale, computed by the trace's own operations.
/// Masked keys stay masked.
std::vector<float> weights_with(const QueryRow& row, const model::Scale& scale);

/// The scale that the row's scores were really divided by: none where a mistake left the division
/// out, unless the reader is to guess that.
model::Scale scale_in_use(const QueryRow& row);

}  // namespace stage
