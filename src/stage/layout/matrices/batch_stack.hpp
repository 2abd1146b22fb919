// The other samples of a batch, drawn as sheets under the chosen one.
#pragma once

#include <optional>

#include "document/computed.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// How far each sheet sticks out from under the one above it, to the right and down; stage units.
inline constexpr float sheet_step = 5.0F;
/// With a larger batch only the next few samples are shown: more sheets would just be edges.
inline constexpr std::size_t most_sheets = 3;

/// How many sheets lie under each matrix of this tensor. None where all samples share the tensor
/// (weights, biases), where the batch has one sample, or where the view state hides them.
std::size_t sheet_count(const document::ComputedAttention& attention, model::TensorId tensor,
                        const document::ViewState& view_state);

/// Adds the sheets to the stage: the samples that follow the chosen one, wrapping around at the
/// end.
void lay_sheets(Stage& stage, const document::ComputedAttention& attention,
                const document::ViewState& view_state);

/// Where a sheet lies, including the part that the sheets above it cover.
Rect place_of(const Stage& stage, const Sheet& sheet);

/// The sample of the topmost sheet at a point of the plane; for points where no matrix is.
std::optional<std::size_t> sheet_at(const Stage& stage, Point plane);

}  // namespace stage
