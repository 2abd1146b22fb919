// The other samples of a batch, as sheets that lie under the one that is looked at.
#pragma once

#include <optional>

#include "document/computed.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// How far each sheet looks out from under the one above it, to the right and below; stage units.
inline constexpr float sheet_step = 5.0F;
/// A larger batch shows the next few samples: more would only be edges.
inline constexpr std::size_t most_sheets = 3;

/// How many sheets lie under each matrix of this tensor: none where all samples share it (weights,
/// biases), where there is one sample, or where the view state hides them.
std::size_t sheet_count(const document::ComputedAttention& attention, model::TensorId tensor,
                        const document::ViewState& view_state);

/// Puts the sheets under the stage's matrices: the samples that follow the chosen one, the last one
/// followed by the first.
void lay_sheets(Stage& stage, const document::ComputedAttention& attention,
                const document::ViewState& view_state);

/// Where a sheet lies, what is above it included.
Rect place_of(const Stage& stage, const Sheet& sheet);

/// The sample whose sheet looks out under a point of the plane, where no matrix is.
std::optional<std::size_t> sheet_at(const Stage& stage, Point plane);

}  // namespace stage
