// A picture of one matrix by itself, for copying it out of the lesson.
#pragma once

#include <optional>
#include <string>

#include "document/computed.hpp"
#include "stage/scene/stage.hpp"

namespace stage {

/// A stage with only this tensor, for the view state's sample and query: caption, labels, cells at
/// their natural size, and a margin around them. `head`: only this head's matrix; without it, those
/// of all heads. Empty where this attention has no such tensor.
std::optional<Stage> picture_of(const document::ComputedAttention& attention,
                                const document::ViewState& view_state, model::TensorId tensor,
                                std::optional<std::size_t> head);

/// A file name without its extension, such as "scores-head-0". Heads count from 0, as in captions.
std::string picture_name(model::TensorId tensor, std::optional<std::size_t> head);

}  // namespace stage
